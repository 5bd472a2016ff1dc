import { afterAll, beforeAll, expect, test } from 'vitest'
import type { JsonObject } from '../../json.ts'
import { buildRequest } from './build-request.ts'
import { createClient } from '../send-request.ts'
import { respond, startRawServer, type RawServer } from '../fixtures/raw-server.ts'
import type { RequestInput } from './request-input.ts'

const client = createClient()
let server: RawServer

beforeAll(async () => {
  server = await startRawServer(
    (socket) => void socket.write(respond('ok', 'HTTP/1.1 200 OK\r\nconnection: keep-alive')),
  )
})
afterAll(async () => {
  await client.close()
  await server.close()
})

/** Values a hostile server might give to a capture. */
const pieces = [
  '\r\n',
  '\n',
  '\0',
  '\r\n\r\nGET /smuggled HTTP/1.1\r\nhost: x\r\n\r\n',
  '&a=1',
  '=',
  '#',
  '?',
  '/../',
  '//evil.test',
  '\\',
  '"',
  "'",
  '; name=',
  '--',
  ' ',
  '%',
  '%0d%0a',
  '+',
  '@evil.test',
  ':80',
  '{{x}}',
  '}}',
  '\u202e',
  '\ud800',
  'é',
  '😀',
  '__proto__',
  '\t',
]
let state = 42
function next(limit: number): number {
  state = (state * 48_271) % 2_147_483_647
  return state % limit
}
function invent(): string {
  return Array.from({ length: 1 + next(5) }, () => pieces[next(pieces.length)]).join('')
}

/** Sends a request; undefined if it was refused before anything was sent. */
async function send(
  input: RequestInput,
): Promise<{ target: string; head: string; body: Buffer } | undefined> {
  const before = server.requests.length
  const built = await buildRequest(input, {
    baseUrl: server.url,
    defaultTimeout: 5000,
    readFile: async () => Buffer.from('f'),
  })
  if ('problem' in built) {
    if (/\p{Cc}/u.test(built.problem)) throw new Error('a message has to stay on its line')
    return undefined
  }
  expect(new URL(built.spec.url).host).toBe(`127.0.0.1:${server.port}`)
  const exchange = await client.send(built.spec)
  expect(exchange.failure).toBeUndefined()
  expect(server.requests.length).toBe(before + 1)
  const request = server.requests.at(-1) ?? ''
  const end = request.indexOf('\r\n\r\n')
  const head = request.slice(0, end)
  expect(head).toMatch(/^[A-Z]+ \/[\u0021-\u007e]* HTTP\/1\.1\r\n/)
  return { target: head.split(' ')[1] ?? '', head, body: Buffer.from(request.slice(end + 4), 'latin1') }
}

test('in a path, a query and params stay one value each', async () => {
  for (let round = 0; round < 150; round++) {
    const [path, value, name] = [invent(), invent(), `n${invent()}`]
    const sent = await send({
      url: `/p/${encodeURIComponent(path.toWellFormed())}`,
      params: { [name]: value, last: 'z' },
    })
    const url = new URL(`http://h${sent?.target}`)
    expect([...url.searchParams]).toEqual([
      [name.toWellFormed(), value.toWellFormed()],
      ['last', 'z'],
    ])
    // Inserted into the URL, they may change the path or parameters on the same server, nothing else.
    await send({ url: `/p/${value}` })
  }
})

test('in headers are sent as one line or refused with the name', async () => {
  const plain = await send({ url: '/', headers: { 'X-V': 'plain' } })
  const count = plain?.head.split('\r\n').length
  let refused = 0
  for (let round = 0; round < 150; round++) {
    const sent = await send({ url: '/', headers: { 'X-V': `v${invent()}` } })
    if (sent === undefined) refused++
    expect(sent?.head.split(/\r\n|\r|\n/).length ?? count).toBe(count)
  }
  expect(refused).toBeGreaterThan(50)
  expect(refused).toBeLessThan(150)
})

test('in forms, multipart and JSON stay one field each', async () => {
  for (let round = 0; round < 150; round++) {
    const fields: JsonObject = { [`n${invent()}`.toWellFormed()]: invent().toWellFormed(), last: 'z' }
    const form = await send({ method: 'POST', url: '/', form: fields })
    expect([...new URLSearchParams(form?.body.toString())]).toEqual(Object.entries(fields))
    const json = await send({ method: 'POST', url: '/', body: fields })
    expect(JSON.parse(json?.body.toString() ?? '')).toEqual(fields)
    const multipart = await send({
      method: 'POST',
      url: '/',
      multipart: { ...fields, f: { file: 'x', filename: invent() } },
    })
    const boundary = /boundary=(\S+)/.exec(multipart?.head ?? '')?.[1] ?? ''
    const body = new Uint8Array(multipart?.body ?? [])
    const parsed = await new Response(body, {
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    }).formData()
    const [value] = Object.values(fields)
    expect(Array.from(parsed.keys())).toHaveLength(3)
    // Lines end in CRLF, as in a browser's form.
    expect(Array.from(parsed.values())[0]).toBe((value as string).replaceAll(/\r\n?|\n/g, '\r\n'))
  }
})
