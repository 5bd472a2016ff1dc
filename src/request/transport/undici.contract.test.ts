import { createRequire } from 'node:module'
import { connect, type Socket } from 'node:net'
import type { Client, Dispatcher } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { respond, startRawServer, type RawServer } from '../fixtures/raw-server.ts'
import { loadClient } from './connection.ts'

// Undocumented behaviour of undici that we rely on. After an update, run this test, then name the new release here.
const checkedWith = '8.13'

let server: RawServer
beforeAll(async () => void (server = await startRawServer((socket) => void socket.write(respond('ok')))))
afterAll(() => server.close())

/** Sends one request through a plain client and records what undici does with the socket and the handler. */
async function dispatch(): Promise<{ written: unknown[]; rawHeaders: unknown; client: Client }> {
  const written: unknown[] = []
  const client = new (loadClient())(server.url, {
    connect: (_options, done) => {
      const socket: Socket = connect(server.port, '127.0.0.1', () => done(null, socket))
      const write = socket.write.bind(socket) as (...rest: unknown[]) => boolean
      socket.write = (...rest: unknown[]): boolean => {
        written.push(rest[0])
        return write(...rest)
      }
    },
  })
  const rawHeaders = await new Promise((resolve, reject) => {
    let raw: unknown
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart() {},
      onResponseStart: (controller) => void (raw = controller.rawHeaders),
      onResponseData() {},
      onResponseEnd: () => resolve(raw),
      onResponseError: (_controller, error) => reject(error),
    }
    client.dispatch({ method: 'POST', path: '/', headers: ['X-A', '1'], body: Buffer.from('body') }, handler)
  })
  return { written, rawHeaders, client }
}

test('the release is the one that was checked', () => {
  const { version } = createRequire(import.meta.url)('undici/package.json') as { version: string }
  expect(version.split('.').slice(0, 2).join('.')).toBe(checkedWith)
})

test('the client alone is the one of the package', async () => {
  const { Client: Public } = await import('undici')
  expect(loadClient().name).toBe(Public.name)
})

test('the head is written as one text, before the body', async () => {
  const { written, client } = await dispatch()
  await client.close()
  expect(written[0]).toMatch(/^POST \/ HTTP\/1\.1\r\nhost: .*\r\nX-A: 1\r\n.*content-length: 4\r\n\r\n$/s)
  expect(Buffer.from(written[1] as Uint8Array).toString()).toBe('body')
})

test('the controller has the lines of the head as bytes, in their order', async () => {
  const { rawHeaders, client } = await dispatch()
  await client.close()
  expect((rawHeaders as Buffer[]).map(String)).toEqual(['content-length', '2'])
})
