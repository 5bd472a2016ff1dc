import { test as base, expect } from 'vitest'
import exchanges from './fixtures/httpbin-exchanges.json' with { type: 'json' }
import { startServer } from './start-server.ts'
import { exchangeBytes, parseAnswer } from './testing/raw-client.ts'

type Headers = Record<string, string | undefined>

const test = base.extend<{ $worker: { port: number } }>({
  port: [
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads the names of needed fixtures from the pattern.
    async ({}, use) => {
      await using server = await startServer()
      await use(server.port)
    },
    { scope: 'worker' },
  ],
})

for (const { name, request, response } of exchanges) {
  test(`httpbin's answer to ${name}`, async ({ port }) => {
    const body = typeof request.body === 'string' ? request.body : Buffer.from(request.body.base64, 'base64')
    const head = [
      `${request.method} ${request.path} HTTP/1.1`,
      ...request.headers.map((pair) => pair.join(': ')),
    ]
    const bytes = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), Buffer.from(body)])
    const answer = parseAnswer(await exchangeBytes(port, bytes, 100))

    const expected: Headers = response.headers
    // Error pages are JSON here (docs/echo-server.md, differences).
    const ignored = new Set(response.body === null ? ['content-type', 'content-length'] : [])
    for (const [header, value] of Object.entries(expected)) {
      if (!ignored.has(header)) expect(answer.headers[header], header).toBe(value)
    }
    for (const header of ['content-type', 'content-length', 'allow', 'location', 'www-authenticate']) {
      expect(header in answer.headers, header).toBe(expected[header] !== undefined)
    }
    expect({ status: answer.status, body: response.body === null ? null : answer.body }).toEqual({
      status: response.status,
      body: response.body,
    })
  })
}
