import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exchangeBytes, parseAnswer, type RawAnswer, request } from './fixtures/raw-client.ts'
import { type EchoServer, startServer } from './start-server.ts'

let server: EchoServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const HOST = 'Host: echo.test'

/** The echo of a request to `/anything`. */
async function echo(target: string, type: string, body: Buffer): Promise<Record<string, unknown>> {
  const head = `POST ${target} HTTP/1.1\r\n${HOST}\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}`
  const answer = await request(server.port, head, body)
  expect(answer.status).toBe(200)
  return JSON.parse(answer.body) as Record<string, unknown>
}

/** Names and values as an echo shows them: a list if a name is repeated. */
function collect(pairs: [string, string][]): object {
  const all = new Map<string, string[]>()
  for (const [name, value] of pairs) all.set(name, [...(all.get(name) ?? []), value])
  const entries = Array.from(all, ([name, values]): [string, unknown] => [
    name,
    values.length > 1 ? values : values[0],
  ])
  return Object.fromEntries(entries)
}

// In its `url`, httpbin shows `%2B` as `+`, which would be read as a space.
const text = fc
  .string({ unit: 'binary', maxLength: 30 })
  .map((each) => each.toWellFormed().replaceAll('+', ''))
const pairs = fc.array(fc.tuple(fc.oneof(text, fc.constantFrom('a', '__proto__', '10', '9')), text), {
  maxLength: 8,
})
const bytes = fc.uint8Array({ maxLength: 300 }).map((each) => Buffer.from(each))

describe('what a client sends is echoed', () => {
  test('fields of a query and a form', async () => {
    await fc.assert(
      fc.asyncProperty(pairs, async (fields) => {
        const encoded = new URLSearchParams(fields).toString()
        const shown = await echo(
          `/anything?${encoded}`,
          'application/x-www-form-urlencoded',
          Buffer.from(encoded),
        )
        expect(shown).toMatchObject({ args: collect(fields), form: collect(fields), data: '', json: null })
        expect(Array.from(new URL(String(shown['url'])).searchParams)).toEqual(fields)
      }),
    )
  })

  test('fields and files of a multipart body', async () => {
    const name = fc.stringMatching(/^[A-Za-z0-9_ ;=.-]{0,12}$/)
    const part = fc.record({ name, content: bytes, isFile: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 6 }), async (parts) => {
        const boundary = 'a-boundary-that-no-content-has'
        const pieces = parts.map((each) => [
          Buffer.from(
            `--${boundary}\r\nContent-Disposition: form-data; name="${each.name}"${each.isFile ? '; filename="f"' : ''}\r\n\r\n`,
          ),
          each.content,
          Buffer.from('\r\n'),
        ])
        const body = Buffer.concat([...pieces.flat(), Buffer.from(`--${boundary}--\r\n`)])
        const shown = await echo('/anything', `multipart/form-data; boundary=${boundary}`, body)
        const fields = parts.filter(({ isFile }) => !isFile)
        expect(shown['form']).toEqual(collect(fields.map((each) => [each.name, each.content.toString()])))
        const files = parts.filter(({ isFile }) => isFile).toReversed()
        expect(shown['files']).toEqual(
          Object.fromEntries(files.map((each) => [each.name, showBytes(each.content)] as const)),
        )
      }),
    )
  })

  test('any body as data, and as JSON when it is', async () => {
    const document = fc.json({ stringUnit: 'binary' }).map((each) => Buffer.from(each))
    await fc.assert(
      fc.asyncProperty(fc.oneof(bytes, document), async (body) => {
        const shown = await echo('/anything', 'text/plain', body)
        expect(shown['data']).toBe(showBytes(body))
        expect(shown['json']).toEqual(readJson(body.toString()))
      }),
    )
  })

  test('headers', async () => {
    const name = fc.stringMatching(/^[A-Za-z0-9]{1,8}(?:-[A-Za-z0-9]{1,8}){0,2}$/).map((each) => `X-${each}`)
    const value = fc.stringMatching(/^(?:[!-~\x80-\xff](?:[\t -~\x80-\xff]{0,20}[!-~\x80-\xff])?)?$/)
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, value, { noNullPrototype: true }), async (headers) => {
        const lines = Object.entries(headers).map(([each, content]) => `${each}: ${content}\r\n`)
        const answer = await request(server.port, `GET /headers HTTP/1.1\r\n${lines.join('')}${HOST}`)
        const shown = Object.entries((JSON.parse(answer.body) as { headers: object }).headers)
        const lower = new Map(shown.map(([each, content]) => [each.toLowerCase(), String(content)]))
        for (const each of Object.keys(headers)) {
          const same = Object.keys(headers).filter((other) => other.toLowerCase() === each.toLowerCase())
          expect(lower.get(each.toLowerCase())).toBe(same.map((other) => headers[other]).join(','))
        }
      }),
    )
  })
})

/** True for a response below 500 that has the headers of every response, or for no response at all. */
const isFine = ({ status, headers }: RawAnswer): boolean =>
  Number.isNaN(status) || (status < 500 && headers['x-content-type-options'] === 'nosniff')

describe('whatever arrives is answered below 500, or the connection ends', () => {
  test('any target and method', async () => {
    const part = fc.oneof(
      fc.stringMatching(/^[!-~]{0,12}$/),
      fc.constantFrom(
        'get',
        'status',
        'anything',
        'delay',
        'redirect-to',
        '..',
        '',
        '%2F',
        '%',
        '200',
        '0',
        'a:1,b',
      ),
    )
    const query = fc.stringMatching(/^[!-~]{0,40}$/)
    const start = fc.constantFrom('/', '//', '', 'http://a', 'http://[', '*', '?', '#')
    const method = fc.constantFrom(
      'GET',
      'POST',
      'PUT',
      'DELETE',
      'TRACE',
      'OPTIONS',
      'HEAD',
      'PROPFIND',
      'BREW',
      'get',
    )
    await fc.assert(
      fc.asyncProperty(
        method,
        start,
        fc.array(part, { maxLength: 5 }),
        query,
        async (...[verb, from, parts, search]) => {
          expect(
            await request(server.port, `${verb} ${from}${parts.join('/')}?${search} HTTP/1.1\r\n${HOST}`),
          ).toSatisfy(isFine)
        },
      ),
      { numRuns: 300 },
    )
  })

  test('any bytes, alone and as the body of any type', async () => {
    const type = fc.constantFrom(
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=b',
      'multipart/form-data',
      'application/json',
      ';;=;"',
    )
    const pieces = fc.constantFrom(
      '--b\r\n',
      '--b--',
      '\r\n\r\n',
      'Content-Disposition: form-data; name=',
      '"',
      '%',
      '&',
      '=',
    )
    const body = fc
      .array(
        fc.oneof(
          bytes,
          pieces.map((each) => Buffer.from(each)),
        ),
      )
      .map((all) => Buffer.concat(all))
    await fc.assert(
      fc.asyncProperty(type, body, async (kind, content) => {
        const head = `POST /post HTTP/1.1\r\n${HOST}\r\nContent-Type: ${kind}\r\nContent-Length: ${content.length}`
        expect(await request(server.port, head, content)).toSatisfy(isFine)
        const raw = Buffer.concat([content, Buffer.from('\r\n\r\n')])
        expect(parseAnswer(await exchangeBytes(server.port, raw, { idle: 20 }))).toSatisfy(isFine)
      }),
      { numRuns: 200 },
    )
    expect((await fetch(`${server.url}/get`)).status).toBe(200)
  })
})

function showBytes(content: Buffer): string {
  const shown = content.toString()
  return Buffer.from(shown).equals(content)
    ? shown
    : `data:application/octet-stream;base64,${content.toString('base64')}`
}

function readJson(content: string): unknown {
  try {
    return JSON.parse(content) as unknown
  } catch {
    return null
  }
}
