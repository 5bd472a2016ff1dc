import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startServer, type EchoServer } from '../../../server/index.ts'
import { runText, type RanSuite } from '../fixtures/run-text.ts'

let echo: EchoServer
beforeAll(async () => void (echo = await startServer()))
afterAll(() => echo.close())

function run(steps: string, base = echo.url): Promise<RanSuite> {
  return runText(`suite_name: Test\nbase_url: '${base}'\nsteps:\n${steps}`)
}

/** Serves one answer, and reports when its connection was closed. */
async function serve(
  answer: RequestListener,
): Promise<{ url: string; closed: Promise<unknown>; [Symbol.asyncDispose](): Promise<void> }> {
  const { promise: closed, resolve } = Promise.withResolvers()
  const server: Server = createServer((request, response) => {
    response.on('close', resolve)
    answer(request, response)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    closed,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

const chat = '/sse?duration=0&data={%22delta%22:%22Hel%22}&data={%22delta%22:%22lo%22}&data=[DONE]&data=more'

test('events are read until one of them is the last, for checks, captures and conditions', async () => {
  const { outcomes, run: state } = await run(`
  - name: Chat
    request: { url: '${chat}', headers: { x-a: b } }
    stream: { until: "event.data === '[DONE]'", within: 5s }
    assert:
      events: { length: 3, each: { id: { type: string }, at_ms: { less_than: 5s } } }
      events[0].data.delta: Hel
      events[0].at_ms: { not: { greater_than: 5s } }
      events[1].at_ms: { between: [0ms, '{{js: "5s"}}'] }
      first_event_ms: { less_than: 5000 }
      custom: [{ condition: "events.length === 3 && first_event_ms > 0" }]
    capture: { text: "join('', events[?data.delta].data.delta)", ms: first_event_ms }
    scenarios: [{ condition: "length(events) == \`3\`", then: { capture: { last: 'events[-1].data' } } }]
`)
  const chatted = outcomes['Chat']
  expect(chatted?.failures).toEqual([])
  expect(state.captures).toMatchObject({ text: 'Hello', last: '[DONE]' })
  expect(chatted?.result.assertions_results[0]).toEqual({
    field: 'stream',
    expected: "until event.data === '[DONE]'",
    actual: '3 events',
    passed: true,
    message: 'OK',
  })
  const at_ms = expect.any(Number) as number
  expect(chatted?.result.response_details).toMatchObject({
    status_code: 200,
    events: [
      { id: '0', data: { delta: 'Hel' }, at_ms },
      { id: '1', data: { delta: 'lo' }, at_ms },
      { id: '2', data: '[DONE]', at_ms },
    ],
    first_event_ms: at_ms,
  })
  expect(chatted?.exchange?.request.headers).toContainEqual(['accept-encoding', 'identity'])
})

test('with `events: 0`, no event may come within the time', async () => {
  await using server = await serve((request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    if (request.url === '/one') response.write('data: one\n\n')
    if (request.url === '/end') response.end()
    if (request.url === '/cut') response.destroy()
  })
  const { outcomes } = await run(
    ['', 'end', 'one', 'cut']
      .map(
        (name) => `  - { name: "/${name}", request: { url: /${name} }, stream: { events: 0, within: 2s } }`,
      )
      .join('\n'),
    server.url,
  )
  const told = Object.values(outcomes).map(({ failures, result }) => failures[0]?.message ?? result.status)
  expect(told).toEqual([
    'success',
    'success',
    expect.stringMatching(/^Expected no event, but one came after \d+ ms: `"one"` \(string\)\.$/),
    expect.stringMatching(/the connection was closed before that/),
  ])
})

test('lines of JSON are events too, whatever their number, and a stream may be read to its end', async () => {
  const { outcomes } = await run(`
  - name: Lines
    request: { url: /ndjson/3?duration=0 }
    stream: {}
    assert: { events: { length: 3 }, 'events[2].data': { id: 2, name: item 2 } }
  - name: First line
    request: { url: /ndjson/3?duration=9 }
    stream: { events: 1 }
    assert: { events: { length: 1 } }
`)
  expect(outcomes['Lines']?.failures).toEqual([])
  expect(outcomes['First line']?.failures).toEqual([])
})

test('a check that looks for events in the body is told where they are', async () => {
  const { outcomes } = await run(`
  - { name: Plain, request: { url: '${chat}' }, assert: { body.delta: Hel } }
  - { name: Stream, request: { url: /ndjson/3?duration=0 }, stream: {}, assert: { body.id: 0 } }
  - { name: Text, request: { url: /robots.txt }, assert: { body.id: 0 } }
`)
  const told = Object.values(outcomes).map(({ failures }) => failures[0]?.message.split('(string)')[1])
  expect(told).toEqual(['; `stream` beside `request` reads its events', '; its events are in `events`', ''])
})

test('the connection is closed as soon as there were enough events', async () => {
  await using server = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(': hello\r\n\r\nevent: tick\r\ndata: 1\r\ndata: 2\r\n\r\n')
    response.write('\u{feff}data: x\n\n')
  })
  const { outcomes } = await run(
    `
  - name: Ticks
    request: { url: / }
    stream: { events: 1 }
    assert: { 'events[0].event': tick, 'events[0].data': "1\\n2" }
`,
    server.url,
  )
  expect(outcomes['Ticks']?.failures).toEqual([])
  await server.closed
})

test('a stream that does not come to its end in time says what arrived', async () => {
  await using server = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    response.write('{"n":1}\n\n{"n":2}\n{"n":')
  })
  const { outcomes, run: state } = await run(
    `
  - name: Waits
    request: { url: / }
    stream: { until: event.data.n.toFixed() === '3', within: 1s }
    assert: { events: { length: 2 } }
    capture: { n: 'events[-1].data.n' }
`,
    server.url,
  )
  expect(outcomes['Waits']?.failures.map(({ at, message }) => [at, message])).toEqual([
    [
      [7, 13],
      expect.stringMatching(
        /^The stream did not reach an event with `until: event\.data\.n\.toFixed\(\) === '3'`: the limit `within` of 1000 ms was reached; 2 events came, the last after \d+ ms: `event\.data\.n\.toFixed\(\)` is `"2"`, `event\.data\.n` is `2`\. Raise `within` if the response may take longer\.$/,
      ),
    ],
  ])
  expect(state.captures).toMatchObject({ n: 2 })
})

test.each([
  ['text/event-stream', 'data: 1\r\rdata: 2\r\n\r\ndata: é\r\r', [1, 2, 'é']],
  ['application/x-ndjson; charset=iso-8859-1', Buffer.from('{"a":"é"}\n', 'latin1'), [{ a: 'é' }]],
])('lines of %s end as they may, and text is in its charset', async (type, text, data) => {
  await using server = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': type })
    // Byte by byte, without closing the connection.
    for (const byte of Buffer.from(text)) response.write(Buffer.of(byte))
  })
  const { outcomes } = await run(
    `
  - name: Lines
    request: { url: / }
    stream: { events: ${data.length}, within: 5s }
`,
    server.url,
  )
  expect(outcomes['Lines']?.failures).toEqual([])
  expect(outcomes['Lines']?.result.response_details?.events?.map((event) => event.data)).toEqual(data)
})

test('a line that is not JSON is an event with its text, and a warning', async () => {
  await using server = await serve((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end('{"a":1}\n""\n"b"\n{"c":'),
  )
  const { outcomes } = await run('\n  - { name: Cut, request: { url: / }, stream: {} }\n', server.url)
  const { response_details: details, warnings } = outcomes['Cut']?.result ?? {}
  expect(details?.events?.map(({ data }) => data)).toEqual([{ a: 1 }, '', 'b', '{"c":'])
  expect(warnings?.map(({ message }) => message)).toEqual([
    'A line of the response is not JSON, so its event is a string: `"{\\"c\\":"` (string).',
  ])
})

test('the parts of a multipart body are events', async () => {
  const graphql =
    '\r\n---\r\nContent-Type: application/json\r\n\r\n{"hasNext":true}\r\n---\r\n\r\n{"hasNext":false}\r\n-----\r\n'
  const types: Record<string, string> = {
    '/graphql': 'multipart/mixed; boundary="-"; deferSpec=1',
    '/batch': 'Multipart/Mixed;boundary="b; 1"',
    '/cut': 'multipart/mixed; boundary=b',
    '/headless': 'multipart/mixed; boundary=b',
    '/unbound': 'multipart/mixed',
  }
  const bodies: Record<string, string> = {
    '/graphql': graphql,
    '/batch':
      'preamble\n--b; 1\nContent-ID: 1\n\nHTTP/1.1 204\r\nA: --b; 1\r\n\r\n--b; 12\r\n--b; 1--\nafter',
    '/cut': '--b\n\n1\n--b\n\n2',
    '/headless': '--b\n1\n--b--',
    '/unbound': '--\n\n1\n----',
  }
  await using server = await serve(({ url = '' }, response) => {
    response.writeHead(200, { 'content-type': types[url] })
    for (const byte of Buffer.from(bodies[url] ?? '')) response.write(Buffer.of(byte))
    if (url !== '/graphql') response.end()
  })
  const others = Object.keys(types).slice(1)
  const { outcomes } = await run(
    [
      '  - { name: Defer, request: { url: /graphql }, stream: { until: event.data.hasNext === false, within: 5s } }',
      ...others.map((url) => `  - { name: ${url}, request: { url: ${url} }, stream: {} }`),
    ].join('\n'),
    server.url,
  )
  const read = ({ failures, result }: (typeof outcomes)[string]): unknown => [
    failures.map(({ message }) => message),
    result.response_details?.events?.map(({ data }) => data),
    result.warnings?.map(({ message }) => message),
  ]
  expect(Object.values(outcomes).map(read)).toEqual([
    [[], [{ hasNext: true }, { hasNext: false }], undefined],
    [[], ['HTTP/1.1 204\r\nA: --b; 1\r\n\r\n--b; 12'], undefined],
    [
      [],
      [1],
      [
        'The response ended without its last boundary, `--b--`. A part counts only with the boundary after it.',
      ],
    ],
    [
      [],
      [],
      [
        'A part of the response has no blank line after its headers, so it does not count.',
        expect.stringMatching(/^The stream had no events, and no check/),
      ],
    ],
    [[expect.stringContaining('its content type has no `boundary`')], [], undefined],
  ])
})

test('an event without the blank line that ends it does not count, and a warning tells so', async () => {
  await using server = await serve((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: 1\r\n\r\ndata: [DONE]\r\n'),
  )
  const { outcomes } = await run(
    '\n  - { name: Cut, request: { url: / }, stream: {}, assert: { events: { length: 1 } } }\n',
    server.url,
  )
  const { failures, result } = outcomes['Cut'] ?? {}
  expect(failures).toEqual([])
  expect(result?.warnings?.map(({ message }) => message)).toEqual([
    'The response ended inside an event, which does not count: `"[DONE]"` (string). An event must be followed by a blank line.',
  ])
})

test('a condition that takes too long is asked once, and what comes after `within` is not waited for', async () => {
  const { outcomes } = await run(`
  - name: Endless
    request: { url: '/ndjson/50?duration=0' }
    stream: { until: '(() => { for (;;); })()' }
  - name: Slow
    request: { url: '/ndjson/100?duration=0' }
    stream: { until: '[1].map((n) => { const end = Date.now() + 30; while (Date.now() < end); return n }).length > 1', within: 1s }
`)
  const [endless] = outcomes['Endless']?.failures ?? []
  expect(endless?.message).toMatch(
    /: `until` took too long; 1 event came, .*for that event, `until` gave It ran longer than 1000 ms/,
  )
  const [slow] = outcomes['Slow']?.failures ?? []
  expect(slow?.message).toMatch(/^The stream did not reach an event/)
  expect(outcomes['Slow']?.result.response_details?.events?.length).toBeLessThan(50)
})

test.each([
  ['{}', '', ['The stream had no events, and no check looks at `events`.']],
  ['{}', 'assert: { events: { length: 0 } }', []],
  ['{}', 'assert: { custom: [{ condition: events.length === 0 }] }', []],
  ['{ events: 1 }', '', []],
])('a stream %s without events, with %s, warns of %j', async (stream, checks, warnings) => {
  await using server = await serve((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(),
  )
  const { outcomes } = await run(
    `
  - name: Empty
    request: { url: / }
    stream: ${stream}
    ${checks}
`,
    server.url,
  )
  expect(outcomes['Empty']?.result.warnings?.map(({ message }) => message) ?? []).toEqual(
    warnings.map((start) => expect.stringContaining(start) as string),
  )
})

test('a stream that ends because `until` misspells a field gives a warning', async () => {
  const { outcomes } = await run(`
  - { name: Read, request: { url: '/ndjson/3?duration=0' }, stream: { until: event.data.nam !== 'item 1' } }
`)
  expect(outcomes['Read']?.result.warnings?.map(({ message }) => message)).toEqual([
    "`stream.until: event.data.nam !== 'item 1'` held, but it reads `event.data.nam`, which is not there (did you mean `name`?).",
  ])
})

test.for<[name: string, stream: string, url: string, message: RegExp]>([
  [
    'too few events',
    '{ events: 4 }',
    '/ndjson/3?duration=0',
    /^The stream did not reach 4 events: it ended before that; 3 events came/,
  ],
  [
    'too many before the last',
    '{ until: event.data.id === 9, events: 2 }',
    '/ndjson/3?duration=0',
    /: the maximum number of events was reached; 2 events came/,
  ],
  [
    'a condition that cannot be evaluated',
    '{ until: event.data.a.b }',
    '/ndjson/1?duration=0',
    /for that event, `until` gave .*Cannot read properties of undefined/,
  ],
  [
    'a misspelt condition',
    "{ until: event.data.nam === 'item 9' }",
    '/ndjson/1?duration=0',
    /; for that event, `until` reads `event\.data\.nam`, which is not there \(did you mean `name`\?\)\.$/m,
  ],
  ['another type', '{ events: 1 }', '/get', /but it has status 200 and the type application\/json\.\nThese/],
  ['an error', '{ events: 1 }', '/status/503', /but it has status 503 and the type text\/html\.\nThese/],
])('%s: a failure with its reason', async ([, stream, url, message]) => {
  const { outcomes } = await run(`
  - name: Fails
    request: { url: '${url}' }
    stream: ${stream}
    assert: { events: { type: array }, 'events[9].data': 1 }
`)
  expect(outcomes['Fails']?.failures.map((failure) => failure.message)).toEqual([
    expect.stringMatching(message),
  ])
  expect(outcomes['Fails']?.result.assertions_results[0]).toMatchObject({ field: 'stream', passed: false })
})

test.each(['none', 'Identity'])('an answer with the content encoding %s is read', async (encoding) => {
  await using server = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': encoding })
    response.end('data: 1\n\n')
  })
  const step = `
  - name: Step
    request: { url: / }
    stream: {}
    assert: { events: { length: 1 } }
`
  expect((await run(step, server.url)).outcomes['Step']?.failures).toEqual([])
})

test('a broken connection and a compressed answer are told', async () => {
  await using broken = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: 1\n\n', () => response.destroy())
  })
  await using compressed = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' })
    response.end()
  })
  await using silent = await serve(() => {})
  const tell = async ({ url }: { url: string }, within = '20s'): Promise<string | undefined> => {
    const step = `\n  - name: Step\n    request: { url: / }\n    stream: { events: 2, within: ${within} }\n`
    return (await run(step, url)).outcomes['Step']?.result.error_message
  }
  expect(await tell(broken)).toContain(
    '2 events: the connection was closed before that (CONNECTION_CLOSED); 1 event came, the last after',
  )
  expect(await tell(compressed)).toContain('but it is compressed (gzip).')
  expect(await tell(silent, '100ms')).toContain(
    'the limit `within` of 100 ms was reached (TIMEOUT). Raise `within`',
  )
})

test('an event that comes after `within` does not stand for those that are missing', async () => {
  // The clock jumps, so that the event is read before the timer ends the request, as in a busy process.
  const now = performance.now.bind(performance)
  await using server = await serve((_request, response) => {
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000)
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: 1\n\ndata: 2\n\n')
  })
  const tell = async (stream: string): Promise<string | undefined> => {
    const steps = `\n  - { name: Step, request: { url: / }, stream: { ${stream}, within: 30s } }`
    const { outcomes } = await run(steps, server.url)
    vi.restoreAllMocks()
    return outcomes['Step']?.result.error_message
  }
  expect(await tell('events: 3')).toContain('not reach 3 events: it ended before that; 2 events came')
  expect(await tell('until: event.data === 2')).toContain(': `within` (30000 ms) had passed; 1 event came')
})
