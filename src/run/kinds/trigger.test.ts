import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { WebSocketServer, type WebSocket } from 'ws'
import { runText, type RanSuite } from '../fixtures/run-text.ts'

/** Tells everyone who listens, over server-sent events or a WebSocket, of each order. */
const listeners = new Set<(order: object) => void>()
const orders: IncomingMessage[] = []

const server = createServer((request, response) => {
  if (request.method === 'POST') void takeOrder(request, response)
  else {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (request.url !== '/late') response.flushHeaders()
    const tell = (order: object): void => void response.write(`data: ${JSON.stringify(order)}\n\n`)
    listeners.add(tell)
    response.on('close', () => listeners.delete(tell))
  }
})

async function takeOrder(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [body] = (await once(request, 'data')) as [Buffer]
  orders.push(request)
  const order = { ...(JSON.parse(body.toString()) as object), id: orders.length }
  if (request.headers.authorization !== 'Bearer t0ken')
    return void response.writeHead(401).end('who are you?')
  if (request.url === '/graphql') return void response.end('{"errors":[{"message":"sold out"}]}')
  for (const tell of listeners) tell(order)
  response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(order))
}

beforeAll(async () => {
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket: WebSocket) => {
    const tell = (order: object): void => socket.send(JSON.stringify(order))
    socket.on('message', (data: Buffer) => {
      listeners.add(tell)
      socket.send(`subscribed to ${data.toString()}`)
    })
    socket.on('close', () => listeners.delete(tell))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
beforeEach(() => void orders.splice(0))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

function run(steps: string, defaults = 'defaults: { auth: { bearer: t0ken } }'): Promise<RanSuite> {
  const { port } = server.address() as AddressInfo
  return runText(`suite_name: Test\nbase_url: 'http://127.0.0.1:${port}'\n${defaults}\nsteps:\n${steps}`)
}

const listen = (stream: string, rest = ''): string => `
  - name: Listen
    variables: { sku: lamp }
    request: { url: /events }
    stream: { ${stream} }
${rest}`
const order = "trigger: { method: POST, url: /orders, body: { sku: '{{sku}}' } }"

test('a trigger is sent once the stream is open, with the defaults and variables of its step', async () => {
  const { outcomes } = await run(
    listen(
      `until: 'event.data.sku === sku', within: 5s, ${order}`,
      "    assert: { 'events[0].data': { id: 1 } }",
    ),
  )
  const listened = outcomes['Listen']
  expect(listened?.failures).toEqual([])
  expect(listened?.result.assertions_results.slice(0, 2)).toMatchObject([
    { field: 'trigger', expected: 'a status below 400', actual: 201, passed: true },
    { field: 'stream', actual: '1 event', passed: true },
  ])
  expect(listened?.result.request_details?.full_url).toMatch(/\/events$/)
  expect(listened?.result.warnings).toBeUndefined()
})

test('a trigger that is refused fails the step at once, with what the server said', async () => {
  const stream = `events: 1, within: 1h, ${order}`
  const { outcomes } = await run(listen(stream), 'variables: { unused: 1 }')
  expect(outcomes['Listen']?.failures).toMatchObject([
    {
      message: expect.stringMatching(
        /^Expected a status below 400 for the trigger `POST http:.*\/orders`, got 401; its body: `"who are you\?"` \(string\)$/,
      ) as string,
      at: [9, 47],
    },
  ])
})

test('a trigger with errors of GraphQL fails the step', async () => {
  const query = "trigger: { url: /graphql, graphql: { query: 'mutation { order }' } }"
  const { outcomes } = await run(listen(`events: 0, within: 300ms, ${query}`))
  expect(outcomes['Listen']?.failures).toMatchObject([
    {
      message: expect.stringMatching(
        /^Expected no `errors` for the trigger `POST http:.*\/graphql`, got `\[\{"message":"sold out"\}\]` \(array\)$/,
      ) as string,
    },
  ])
})

test('a check that nothing comes is made after the trigger', async () => {
  const { outcomes } = await run(listen(`events: 0, within: 500ms, ${order}`))
  expect(outcomes['Listen']?.failures[0]?.message).toMatch(/^Expected no event, but one came/)
})

test('a trigger that could not be sent is told', async () => {
  const { outcomes } = await run(listen(`events: 1, within: 300ms, ${order}`).replace('/events', '/late'))
  const [warning] = outcomes['Listen']?.result.warnings ?? []
  expect(outcomes['Listen']?.failures).toHaveLength(1)
  expect(warning?.message).toBe(
    'The `trigger` was not sent: it waits for the head of the response, which the server must send before the first event.',
  )
  expect(orders).toEqual([])
})

test('a template without a value in a trigger is told at its place', async () => {
  const { outcomes } = await run(listen(`events: 1, within: 5s, ${order.replace('sku}}', 'missing}}')}`))
  expect(outcomes['Listen']?.result.warnings).toMatchObject([{ line: 9, column: 91 }])
})

test('requests between the messages of a WebSocket see what the messages captured', async () => {
  const { outcomes } = await run(`
  - name: Talk
    websocket:
      url: /
      exchange:
        - send: orders
        - expect: { starts_with: subscribed }
          capture: { said: message }
        - trigger: { method: POST, url: /orders, body: { note: '{{said}}' } }
        - expect: { note: subscribed to orders, id: 1 }
`)
  expect(outcomes['Talk']?.failures).toEqual([])
  expect(orders[0]?.headers.authorization).toBe('Bearer t0ken')
})

test('after a trigger that failed, no message is waited for', async () => {
  const { outcomes } = await run(
    `
  - name: Talk
    websocket:
      url: /
      exchange:
        - send: orders
        - expect: { exists: true }
        - trigger: { method: POST, url: /orders, body: {} }
        - expect: { id: 1 }
`,
    'variables: { unused: 1 }',
  )
  expect(outcomes['Talk']?.failures).toHaveLength(1)
  expect(outcomes['Talk']?.result.assertions_results.at(-1)?.message).toBe(
    '`exchange[3]` got no message: an earlier `trigger` failed.',
  )
})
