import { expect } from './fixture.ts'
import exchanges from './fixtures/httpbin-exchanges.json' with { type: 'json' }
import { test } from './fixtures/echo-port.ts'
import { exchangeBytes, isWhole, parseAnswer } from './fixtures/raw-client.ts'

interface Recorded {
  status: number
  headers: Record<string, string | undefined>
  body: string | null
}

const ENTITY_HEADERS = ['content-type', 'content-length']

for (const { name, request, response } of exchanges) {
  test.concurrent(`httpbin's answer to ${name}`, async ({ port }) => {
    const body = typeof request.body === 'string' ? request.body : Buffer.from(request.body.base64, 'base64')
    const head = [
      `${request.method} ${request.path} HTTP/1.1`,
      ...request.headers.map((pair) => pair.join(': ')),
    ]
    const bytes = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), Buffer.from(body)])
    const answer = parseAnswer(await exchangeBytes(port, bytes, { idle: 1000, isEnough: isWhole }))

    expect(describe(answer, response)).toEqual(describe(response, response))
  })
}

/** What is compared. Error pages are JSON here (docs/application/echo-server.md), so their type, length and text are left out. */
function describe({ status, headers, body }: Recorded, { body: page, headers: listed }: Recorded): object {
  const names = new Set(
    [...Object.keys(listed), ...ENTITY_HEADERS].filter(
      (name) => page !== null || !ENTITY_HEADERS.includes(name),
    ),
  )
  return {
    status,
    body: page === null ? null : body,
    headers: [...names].map((name) => `${name}: ${headers[name]}`),
  }
}
