import { createHash } from 'node:crypto'
import { getEventListeners, once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { createServer as createSocketServer, type AddressInfo, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WebSocketServer, type WebSocket } from 'ws'
import { certificate } from '../../request/fixtures/certificate.ts'
import { describeFailure } from '../../request/render/describe-failure.ts'
import { openWebsocket } from '../../request/transport/open-websocket.ts'
import { startServer, type EchoServer } from '../../../server/index.ts'
import { runText, type RanSuite } from '../fixtures/run-text.ts'
import { defaultLimits } from '../../limits.ts'

let echo: EchoServer
beforeAll(async () => void (echo = await startServer()))
afterAll(() => echo.close())

function run(steps: string, base = echo.url): Promise<RanSuite> {
  return runText(`suite_name: Test\nbase_url: '${base}'\ncookies: true\nsteps:\n${steps}`)
}

type Server = {
  url: string
  handshakes: IncomingMessage[]
  /** Header lines of the answers to handshakes. */
  cookies: string[]
  [Symbol.asyncDispose](): Promise<void>
}

/** Serves WebSockets; any other request gets a cookie. */
async function serve(talk: (socket: WebSocket) => void, isWelcome = true): Promise<Server> {
  const handshakes: IncomingMessage[] = []
  const http = createServer((_request, response) => response.setHeader('set-cookie', 'id=7').end())
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: (names) => [...names][0] ?? false })
  const cookies: string[] = []
  sockets.on('headers', (lines) => lines.push(...cookies))
  http.on('upgrade', (request, socket, head) => {
    handshakes.push(request)
    if (isWelcome) sockets.handleUpgrade(request, socket, head, talk)
    else socket.end('HTTP/1.1 401 Unauthorized\r\nx-why: no token\r\ncontent-length: 0\r\n\r\n')
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    handshakes,
    cookies,
    async [Symbol.asyncDispose]() {
      for (const client of sockets.clients) client.terminate()
      http.closeAllConnections()
      await new Promise((done) => http.close(done))
    },
  }
}

test('messages are sent and expected in turn; what one captures is there for the next, and for later steps', async () => {
  const { outcomes, run: state } = await run(`
  - name: Talk
    websocket:
      url: /websocket/echo
      exchange:
        - send: { ask: price, sku: lamp, list: [1, 2] }
        - expect: { ask: price, list: { length: 2 } }
          within: 5s
          capture: { sku: message.sku }
        - send: 'plain {{sku}}'
        - expect: plain lamp
        - send: null
        - expect: null
        - close: 3001
    assert: { status_code: 101, messages: { length: 6 }, 'messages[-1].data': null }
    capture: { first: 'messages[0].data.ask' }
    scenarios: [{ condition: "length(messages) > \`5\`", then: { variables: { many: true } } }]
  - name: Later
    request: { url: '/anything/{{sku}}' }
    assert: { status_code: 200, body.url: { ends_with: /anything/lamp } }
`)
  const talk = outcomes['Talk']
  expect(talk?.failures).toEqual([])
  expect(outcomes['Later']?.failures).toEqual([])
  expect(state.captures).toEqual({ sku: 'lamp', first: 'price', many: true })
  expect(talk?.result.assertions_results.map(({ field }) => field)).toEqual([
    'exchange[1].message.ask.equals',
    'exchange[1].message.list.length',
    'exchange[3].message.equals',
    'exchange[5].message.equals',
    'status_code',
    'messages.length',
    'messages[-1].data.equals',
  ])
  const { request_details, response_details } = talk?.result ?? {}
  expect(request_details).toMatchObject({
    method: 'GET',
    url: '/websocket/echo',
    full_url: `${echo.url.replace('http', 'ws')}/websocket/echo`,
    headers: { Upgrade: 'websocket' },
  })
  const at_ms = expect.any(Number) as number
  expect(response_details).toMatchObject({ status_code: 101, close_code: 3001 })
  expect(response_details?.messages?.slice(2, 4)).toEqual([
    { direction: 'sent', type: 'text', data: 'plain lamp', at_ms },
    { direction: 'received', type: 'text', data: 'plain lamp', at_ms },
  ])
})

test('cookies that a handshake sets are kept, and told if they are refused', async () => {
  await using server = await serve((socket) => socket.close())
  server.cookies.push('set-cookie: id=8', 'set-cookie: no=1; domain=example.com')
  const { outcomes } = await run(
    `
  - { name: First, websocket: { url: /a } }
  - { name: Second, websocket: { url: /b } }
`,
    server.url,
  )
  expect(server.handshakes.map(({ headers }) => headers.cookie)).toEqual([undefined, 'id=8'])
  expect(outcomes['First']?.result.warnings).toMatchObject([
    { message: expect.stringContaining('The cookie `no` of http://127.0.0.1') as string },
  ])
})

test('headers, cookies and protocols go along; binary messages are base64', async () => {
  await using server = await serve((socket) => socket.send(Buffer.from([1, 2, 255])))
  const { outcomes } = await run(
    `
  - name: Cookie
    request: { url: / }
  - name: Nobody
    websocket: { url: /chat, headers: { cookie: null } }
  - name: Talk
    websocket:
      url: '${server.url.replace('http', 'ws')}/chat?room=1'
      protocols: [v2, v1]
      headers: { x-tenant: acme }
      exchange: [{ expect: AQL/ }]
    assert: { headers: { sec-websocket-protocol: v2 } }
`,
    server.url,
  )
  expect(outcomes['Talk']?.failures).toEqual([])
  expect(server.handshakes[0]?.headers.cookie).toBeUndefined()
  expect(server.handshakes[1]?.url).toBe('/chat?room=1')
  expect(server.handshakes[1]?.headers).toMatchObject({
    cookie: 'id=7',
    'x-tenant': 'acme',
    'sec-websocket-protocol': 'v2,v1',
  })
  expect(outcomes['Talk']?.result.response_details?.messages).toMatchObject([
    { type: 'binary', data: 'AQL/' },
  ])
})

test('an expectation that is not met is a failure at its place, and the dialogue goes on', async () => {
  const { outcomes } = await run(`
  - name: Talk
    websocket:
      url: /websocket/echo
      exchange:
        - send: { n: 1 }
        - expect: { n: 2 }
        - send: { n: 3 }
        - expect: { n: 3 }
          capture: { none: message.m }
`)
  expect(outcomes['Talk']?.failures.map(({ at, message }) => [at, message])).toEqual([
    [[11, 24], 'exchange[1].message.n: Expected `message.n` to equal `2` (number), got `1` (number)'],
    [[14, 28], 'The capture `none` has no value: `message.m` found nothing; `message` has: n'],
  ])
})

test.for<[name: string, within: string, talk: (socket: WebSocket) => void, reason: string]>([
  ['in time', '50ms', () => {}, 'no message came within 50 ms (limit `within`)'],
  [
    'before the end',
    '5s',
    (socket) => socket.close(4001, 'go away'),
    'the connection was closed with 4001 (go away)',
  ],
  ['before it broke', '5s', (socket) => socket.terminate(), 'the connection was closed with 1006'],
])('without a message %s all that is expected fails', async ([, within, talk, reason]) => {
  await using server = await serve(talk)
  const { outcomes } = await run(
    `
  - name: Talk
    websocket: { url: /, exchange: [{ expect: { a: 1, b: 2 }, within: ${within} }, { send: x }, { expect: y }] }
`,
    server.url,
  )
  const { failures, result } = outcomes['Talk'] ?? {}
  expect(failures?.map(({ message }) => message)).toEqual([`\`exchange[0]\` got no message: ${reason}.`])
  expect(result?.assertions_results.map(({ field, passed }) => [field, passed])).toEqual([
    ['exchange[0].message.a.equals', false],
    ['exchange[0].message.b.equals', false],
    ['exchange[2].message.equals', false],
  ])
})

test('a message with a template without a value is not sent where the option says so', async () => {
  const got: string[] = []
  await using server = await serve((socket) => {
    socket.on('message', (data) => {
      got.push((data as Buffer).toString())
      socket.close(1000)
    })
  })
  const steps =
    "- { name: Talk, websocket: { url: /, exchange: [{ send: '{{nobody}}' }, { send: last }, { expect: y }] } }"
  const text = `suite_name: Test\nbase_url: '${server.url}'\nsteps:\n  ${steps}`
  const { outcomes } = await runText(text, { settings: { unresolved: 'error' } })
  expect(outcomes['Talk']?.failures.map(({ message }) => message)).toEqual(['`nobody` has no value.'])
  expect(outcomes['Talk']?.result.assertions_results[0]?.message).toContain(
    'an earlier message could not be sent',
  )
  expect(got).toEqual([])
})

const tooMuch = 'more than 10000 messages or 100 bytes were received (option `limits.body`)'

test.each([
  [['x'.repeat(101)], `the connection broke: ${tooMuch}`],
  [['x'.repeat(60), 'y'.repeat(60)], tooMuch],
])('more bytes than the limit end the connection, and the option is named', async (messages, reason) => {
  await using server = await serve((socket) => messages.forEach((message) => socket.send(message)))
  const spec = { method: 'GET', url: server.url, headers: [], timeout: 5000, maxRedirects: 0 }
  const dialogue = await openWebsocket(spec, { protocols: [], bodyLimit: 100 })
  const read = async (): Promise<unknown> => {
    const next = await dialogue.next(2000)
    return typeof next === 'object' ? read() : next
  }
  expect(await read()).toBe(reason)
  // The error is kept, and becomes a warning if no step waits for another message.
  expect(dialogue.error?.message).toBe(tooMuch)
  await dialogue.close(1000)
})

test('as many bytes as the limit allows are read', async () => {
  await using server = await serve((socket) =>
    ['x'.repeat(60), 'y'.repeat(40)].forEach((text) => socket.send(text)),
  )
  const spec = { method: 'GET', url: server.url, headers: [], timeout: 5000, maxRedirects: 0 }
  const dialogue = await openWebsocket(spec, { protocols: [], bodyLimit: 100 })
  const messages = [await dialogue.next(2000), await dialogue.next(2000)]
  expect([messages, dialogue.error]).toMatchObject([
    [{ data: 'x'.repeat(60) }, { data: 'y'.repeat(40) }],
    undefined,
  ])
  await dialogue.close(1000)
})

test('the handshake counts as sent when the connection is there', async () => {
  await using server = await serve(() => {})
  const spec = { method: 'GET', url: server.url, headers: [], timeout: 5000, maxRedirects: 0 }
  const { progress, close } = await openWebsocket(spec, { protocols: [], bodyLimit: defaultLimits.body })
  const { connectedAt = 0, sentAt = 0, headAt = 0 } = progress
  expect([connectedAt, sentAt, headAt].toSorted((a, b) => a - b)).toEqual([connectedAt, sentAt, headAt])
  await close(1000)
})

test('the time in which the event loop stood still counts towards no limit', async () => {
  await using server = await serve((socket) => void setTimeout(() => socket.send('late'), 300))
  const spec = { method: 'GET', url: server.url, headers: [], timeout: 5000, maxRedirects: 0 }
  let blocked = 0
  const readBlocked = (): number => blocked
  const options = { protocols: [], bodyLimit: defaultLimits.body, readBlocked }
  const dialogue = await openWebsocket(spec, options)
  const coming = dialogue.next(100)
  blocked = 30_000
  expect(await coming).toMatchObject({ data: 'late' })
  expect(await dialogue.next(100)).toBeUndefined()
  await dialogue.close(1000)
})

test('a message cannot be sent once the connection is closed', async () => {
  await using server = await serve((socket) => socket.close(4000))
  const spec = { method: 'GET', url: server.url, headers: [], timeout: 5000, maxRedirects: 0 }
  const dialogue = await openWebsocket(spec, { protocols: [], bodyLimit: defaultLimits.body })
  expect(await dialogue.next(5000)).toBe('the connection was closed with 4000')
  expect(dialogue.send('late', 'late')).toBe('the connection was closed with 4000')
})

test('a refused handshake leaves no listener behind', async () => {
  await using server = await serve(() => {}, false)
  const spec = { method: 'GET', url: server.url, headers: [], timeout: 5000, maxRedirects: 0 }
  const { signal } = new AbortController()
  await openWebsocket(spec, { protocols: [], bodyLimit: defaultLimits.body, signal })
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('a handshake may be refused, which is a failure unless the step asks for it', async () => {
  await using server = await serve(() => {}, false)
  const { outcomes } = await run(
    `
  - name: Refused
    websocket: { url: /, exchange: [{ expect: y }] }
  - name: As asked
    websocket: { url: / }
    assert: { status_code: 401, headers.x-why: no token }
  - name: Not asked
    websocket: { url: / }
    assert: { headers.x-why: no token }
`,
    server.url,
  )
  for (const name of ['Refused', 'Not asked']) {
    const { error_message, warnings } = outcomes[name]?.result ?? {}
    expect(error_message).toBe('Expected the WebSocket handshake to be answered with 101, got 401.')
    expect(warnings).toBeUndefined()
  }
  expect(outcomes['As asked']?.failures).toEqual([])
})

test.for<[accept: string | undefined, protocols: string, reason: string]>([
  ['wrong', '[]', 'Invalid Sec-WebSocket-Accept header (HANDSHAKE_FAILED)'],
  [undefined, '[v1]', 'Server sent no subprotocol (HANDSHAKE_FAILED)'],
  ['none', '[]', 'the 101 response has no header `upgrade: websocket` (HANDSHAKE_FAILED)'],
])(
  'a handshake with the accept %s for the protocols %s fails all that is asked',
  async ([accept, protocols, reason]) => {
    const http = createServer().on('upgrade', ({ headers }, socket) => {
      const right = createHash('sha1').update(
        `${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`,
      )
      const upgrade = accept === 'none' ? [] : ['upgrade: websocket']
      const head = ['HTTP/1.1 101 Switching Protocols', ...upgrade, 'connection: upgrade']
      socket.write(
        [...head, `sec-websocket-accept: ${accept ?? right.digest('base64')}`, '', ''].join('\r\n'),
      )
    })
    http.listen(0, '127.0.0.1')
    await once(http, 'listening')
    const { outcomes } = await run(
      `
  - { name: Asked, websocket: { url: /, protocols: ${protocols} }, assert: { status_code: 101 } }
  - { name: Not asked, websocket: { url: /, protocols: ${protocols} } }
  - { name: Talk, websocket: { url: /, protocols: ${protocols}, exchange: [{ send: x }] } }
`,
      `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    )
    http.close()
    http.closeAllConnections()
    for (const name of ['Asked', 'Not asked', 'Talk'])
      expect(outcomes[name]?.failures.map(({ message }) => message)).toEqual([
        expect.stringContaining(reason),
      ])
  },
)

test('that no message comes can be asked for some time', async () => {
  await using server = await serve((socket) => {
    socket.on('message', (data) =>
      (data as Buffer).toString() === 'stay' ? undefined : socket.close(4000, 'bye'),
    )
    setTimeout(() => socket.send('late'), 100)
  })
  const step = (name: string, exchange: string): string =>
    `\n  - { name: ${name}, websocket: { url: /, exchange: [${exchange}] } }`
  const silence = '{ expect: { exists: false }, within: 20ms }'
  const { outcomes } = await run(
    [
      step('Quiet', `{ send: stay }, ${silence}, { expect: late }`),
      step('Loud', `{ expect: { exists: false }, within: 5s }`),
      step('Gone', `{ send: go }, { expect: { exists: false }, within: 5s }`),
    ].join(''),
    server.url,
  )
  expect(outcomes['Quiet']?.failures).toEqual([])
  expect(outcomes['Quiet']?.result.assertions_results[0]).toMatchObject({
    field: 'exchange[1].message.exists',
    passed: true,
  })
  const told = (name: string) => outcomes[name]?.failures.map(({ message }) => message)
  expect(told('Loud')).toEqual(['exchange[0].message: Expected nothing at `message`, got `"late"` (string)'])
  expect(told('Gone')).toEqual(['`exchange[1]` got no message: the connection was closed with 4000 (bye).'])
})

test('the code with which the server closes can be checked', async () => {
  await using server = await serve((socket) => {
    socket.on('message', (data) =>
      setTimeout(() => socket.close(Number((data as Buffer).toString()), 'no'), 20),
    )
  })
  const step = (name: string, send: number, more: string): string =>
    `\n  - { name: ${name}, websocket: { url: /, exchange: [{ send: '${send}' }] }, ${more} }`
  const { outcomes } = await run(
    [
      step('Asked', 4401, 'assert: { close_code: 4401 }, capture: { code: close_code }'),
      step('Condition', 4401, 'assert: { custom: [{ condition: close_code === 4401 }] }'),
      step('Wrong', 4401, 'assert: { close_code: { less_than: 4000 } }'),
    ].join(''),
    server.url,
  )
  expect(outcomes['Asked']?.failures).toEqual([])
  expect(outcomes['Asked']?.result).toMatchObject({ captured_variables: { code: 4401 } })
  expect(outcomes['Asked']?.result.warnings).toBeUndefined()
  expect(outcomes['Condition']?.failures).toEqual([])
  expect(outcomes['Wrong']?.failures.map(({ message }) => message)).toEqual([
    'Expected `close_code` to be less than 4000, got `4401` (number)',
  ])
})

test.each([
  'capture: { code: close_code }',
  "capture: { code: '{{js: close_code}}' }",
  'scenarios: [{ condition: close_code == `4401`, then: { variables: { code: 4401 } } }]',
  'scenarios: [{ condition: status_code == `101`, then: { capture: { code: close_code } } }]',
  'retry: { max_attempts: 1, until: close_code === 4401 }, capture: { code: { path: close_code } }',
])('the code is waited for, too, if only this reads it: %s', async (reader) => {
  await using server = await serve((socket) => void setTimeout(() => socket.close(4401, 'no'), 20))
  const { outcomes, run: state } = await run(
    `\n  - { name: Talk, websocket: { url: / }, ${reader} }`,
    server.url,
  )
  expect(outcomes['Talk']?.failures).toEqual([])
  expect(state.captures).toEqual({ code: 4401 })
})

test('a proxy that cannot be used fails before anything connects', async () => {
  vi.stubEnv('http_proxy', 'socks5://127.0.0.1:1')
  const { outcomes } = await run("\n  - { name: Talk, websocket: { url: 'ws://api.test/' } }")
  vi.unstubAllEnvs()
  expect(outcomes['Talk']?.failures[0]?.message).toMatch(
    /^GET ws:\/\/api\.test\/ failed while connecting after \d+ ms: .* \(PROXY_INVALID\)$/,
  )
})

test('the defaults of the suite do not hold for a handshake', async () => {
  await using server = await serve((socket) => socket.close())
  const { outcomes } = await runText(
    `suite_name: Test\nbase_url: '${server.url}'\n` +
      'defaults: { auth: { bearer: t0k3n }, headers: { x-tenant: acme }, assert: { status_code: 200 } }\n' +
      'steps:\n  - { name: Talk, websocket: { url: / } }',
  )
  expect(outcomes['Talk']?.failures).toEqual([])
  expect(server.handshakes.map(({ headers }) => [headers.authorization, headers['x-tenant']])).toEqual([
    [undefined, undefined],
  ])
})

test('a connection that the server leaves open has no code', async () => {
  const step = (name: string, assert: string): string =>
    `\n  - { name: ${name}, websocket: { url: /websocket/echo }, assert: { ${assert} } }`
  const { outcomes } = await runText(
    `suite_name: Test\nbase_url: '${echo.url}'\ntimeout: 300ms\nsteps:` +
      step('Check', 'close_code: 1000') +
      step('Condition', 'custom: [{ condition: close_code === 1000 }]'),
  )
  const told = (name: string) => outcomes[name]?.failures.map(({ message }) => message)
  expect(told('Check')).toEqual(['close_code: the server did not close the connection'])
  expect(told('Condition')).toEqual(['Expected the condition `close_code === 1000` to be true, got `false`'])
})

test.each([
  [1008, ['The server closed the connection with 1008 (no), and no check looks at that.']],
  [1000, []],
  [1001, []],
])(
  'a connection that the server closes with %s, which nobody asks about, warns of %j',
  async (code, warnings) => {
    await using server = await serve((socket) => socket.close(code, 'no'))
    const { outcomes } = await run('\n  - { name: Talk, websocket: { url: / } }\n', server.url)
    expect(outcomes['Talk']?.failures).toEqual([])
    expect(outcomes['Talk']?.result.warnings?.map(({ message }) => message) ?? []).toEqual(
      warnings.map((start) => expect.stringContaining(start) as string),
    )
  },
)

test('a frame that WebSockets do not have, after the last message, is a warning', async () => {
  await using server = await serve((socket) => {
    socket.send('hello')
    const wire = Reflect.get(socket, '_socket') as NodeJS.WritableStream
    // A text that is not UTF-8.
    wire.write(Buffer.from([0x81, 1, 0xff]))
  })
  const step = (ending: string): string =>
    `\n  - { name: Talk, websocket: { url: /, exchange: [{ expect: hello }${ending}] } }\n`
  for (const ending of ['', ', { close: 1000 }']) {
    const { outcomes } = await run(step(ending), server.url)
    expect(outcomes['Talk']?.failures).toEqual([])
    expect(outcomes['Talk']?.result.warnings?.map(({ message }) => message)).toEqual([
      'The connection broke after the last item of `exchange`: Invalid WebSocket frame: invalid UTF-8 sequence.',
    ])
  }
})

test('nobody there, and a handshake that takes too long, are told like those of a request', async () => {
  const gone = await serve(() => {})
  await gone[Symbol.asyncDispose]()
  const step = '\n  - name: Talk\n    websocket: { url: /, exchange: [{ expect: y }] }\n'
  const { outcomes } = await run(step, gone.url)
  expect(outcomes['Talk']?.result.error_message).toMatch(
    /^GET ws:\/\/127\.0\.0\.1:\d+\/ failed while connecting after \d+ ms: connection refused \(ECONNREFUSED\)\. Is the server running on port \d+\?/,
  )
  const http = createServer()
  http.on('upgrade', () => {})
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const { port } = http.address() as AddressInfo
  const slow = await runText(
    `suite_name: Test\nbase_url: 'http://127.0.0.1:${port}'\ntimeout: 100ms\nsteps:${step}`,
  )
  http.close()
  http.closeAllConnections()
  expect(slow.outcomes['Talk']?.result.error_message).toContain(
    'the limit `timeout` of 100 ms was reached (TIMEOUT). Raise `timeout`',
  )
})

test('a connection that is not open when the time is over is closed', async () => {
  const silent = createSocketServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const left = once(silent, 'connection').then(([socket]) => once((socket as Socket).resume(), 'close'))
  const { port } = silent.address() as AddressInfo
  const { outcomes } = await runText(
    `suite_name: Test\ntimeout: 100ms\nsteps: [{ name: Talk, websocket: { url: 'wss://127.0.0.1:${port}' } }]`,
  )
  expect(outcomes['Talk']?.result.error_message).toContain('failed in the TLS handshake after')
  await left
  silent.close()
})

test('the result says that a certificate was not verified', async () => {
  const https = createSecureServer(certificate).listen(0, '127.0.0.1')
  const sockets = new WebSocketServer({ server: https })
  sockets.on('connection', (socket) => socket.send('hi'))
  await once(https, 'listening')
  const { port } = https.address() as AddressInfo
  const talk = (insecure: boolean) =>
    runText(`suite_name: Test
base_url: 'https://127.0.0.1:${port}'
insecure: ${!insecure}
steps: [{ name: Talk, websocket: { url: /, insecure: ${insecure}, exchange: [{ expect: hi }] } }]
`)
  expect((await talk(true)).outcomes['Talk']).toMatchObject({
    failures: [],
    result: { connection: { insecure: true } },
  })
  expect((await talk(false)).outcomes['Talk']?.result.error_message).toContain(
    'the certificate is not accepted',
  )
  sockets.close()
  https.close()
})

test('a refused `wss` connection names the port of TLS', () => {
  const error = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  const request = { method: 'GET', url: 'wss://example.org/' }
  expect(describeFailure({ phase: 'connect', error, request, elapsed: 1 }).message).toContain('port 443?')
})

test('binary messages are sent and expected as base64', async () => {
  const { outcomes } = await run(`
  - name: Bytes
    variables: { bytes: AAEC/w== }
    websocket:
      url: /websocket/echo
      exchange:
        - { send: '{{bytes}}', type: binary }
        - { expect: AAEC/w==, type: binary, capture: { again: message } }
        - { send: '{{again}}' }
        - { expect: '{{bytes}}', type: text }
    assert:
      messages[0]: { field: { type: binary }, data: AAEC/w== }
      messages[1]: { field: { type: binary } }
      messages[2]: { field: { type: text } }
  - name: Wrong
    variables: { bytes: no bytes }
    websocket:
      url: /websocket/echo
      exchange:
        - { send: AAEC, type: binary }
        - { expect: { exists: true }, type: text }
        - { send: '{{bytes}}', type: binary }
        - { expect: { exists: true } }`)
  const { Bytes: bytes, Wrong: wrong } = outcomes
  expect(bytes?.failures).toEqual([])
  expect(bytes?.result.assertions_results.map(({ field }) => field)).toEqual([
    'exchange[1].type',
    'exchange[1].message.equals',
    'exchange[3].type',
    'exchange[3].message.equals',
    'messages[0].type.equals',
    'messages[0].data.equals',
    'messages[1].type.equals',
    'messages[2].type.equals',
  ])
  expect(wrong?.failures.map(({ message, at }) => `${at[0]} ${message}`)).toEqual([
    '25 Expected `exchange[1].type` to be `text`, got `binary`',
    '26 The message could not be sent: Expected the bytes of a message in base64, got `"no bytes"` (string).',
  ])
})
