import http from 'node:http'
import type { AddressInfo } from 'node:net'
import net from 'node:net'
import { afterEach, beforeAll, afterAll, describe, expect, test } from 'vitest'
import { request as undiciRequest, fetch as undiciFetch, Agent } from 'undici'
import supertest from 'supertest'
import { createClient } from '../request/create-client.ts'
import type { Json, JsonObject } from '../json.ts'
import { createMockServer } from './create-mock-server.ts'
import type { Mock, MockContext, MockServer, MockServerOptions } from './mock.ts'
import { leadsTo, runAsOwnRequest } from './own-requests.ts'
import { watchConnections } from './stale-sockets.ts'

watchConnections()

let upstream: http.Server
let upstreamUrl: string
let server: MockServer | undefined

beforeAll(async () => {
  upstream = http.createServer((request, response) => response.end(`real ${request.url}`))
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
  upstreamUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
})
afterAll(() => upstream.close())
afterEach(async () => {
  await server?.close()
  server = undefined
})

async function start(options: Partial<MockServerOptions> = {}): Promise<MockServer> {
  server = await createMockServer({ onUnhandled: 'error', ...options })
  return server
}

/** Fills in `{{a.b}}` from the locals, as often as it stands in a text, in one pass. */
function interpolate(value: Json, locals: JsonObject): Json {
  if (typeof value === 'string') {
    const whole = /^\{\{([\w.-]+)\}\}$/.exec(value)
    if (whole) return read(whole[1] as string, locals)
    return value.replaceAll(/\{\{([\w.-]+)\}\}/g, (_, path: string) => String(read(path, locals)))
  }
  if (Array.isArray(value)) return value.map((item) => interpolate(item, locals))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, interpolate(item, locals)]))
}

function read(path: string, locals: JsonObject): Json {
  let value: Json | undefined = locals
  for (const name of path.split('.')) value = (value as JsonObject | undefined)?.[name]
  if (value === undefined) throw new Error(`\`${path}\` has no value`)
  return value
}

const context: MockContext = { file: 'shop.suite.yaml', at: [3, 5], interpolate }

function mock(fields: Omit<Mock, 'at'>, line = 10): Mock {
  return { ...fields, at: [line, 7] }
}

function get(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    http
      .get(url, (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => (text += chunk)).on('end', () => resolve(text))
      })
      .on('error', reject)
  })
}

describe('clients of the application', () => {
  const answer = { url: 'https://pay.example/charges', respond: { body: { id: 'ch_1' } } }

  test.each<[string, (url: string) => Promise<unknown>]>([
    ['fetch', async (url) => (await fetch(url)).json()],
    ['node:http', async (url) => JSON.parse(await get(url.replace('https', 'http')))],
    ['undici.request', async (url) => (await undiciRequest(url)).body.json()],
    ['undici.fetch', async (url) => (await undiciFetch(url)).json()],
    ['an undici Agent of its own', async (url) => (await undiciRequest(url, { dispatcher: new Agent() })).body.json()],
    ['supertest', async (url) => (await supertest(new URL(url).origin).get('/charges')).body],
  ])('%s is answered by the mock', async (_, send) => {
    const scope = (await start()).use([mock({ ...answer, url: '*://pay.example/charges' })], context)
    await expect(send(answer.url)).resolves.toEqual({ id: 'ch_1' })
    expect(scope.finish()).toMatchObject({
      calls: [{ method: 'GET', mock: 'shop.suite.yaml:10', status_code: 200, outcome: 'mocked' }],
      problems: [],
    })
  })
})
