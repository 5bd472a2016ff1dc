import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { runText, type RanSuite, type TextOptions } from '../fixtures/run-text.ts'

/** Runs steps against its own server; `most` is the largest number of concurrent requests. */
async function run(
  steps: string,
  answer: RequestListener,
  options?: TextOptions,
): Promise<RanSuite & { most: number }> {
  let [open, most] = [0, 0]
  const server = createServer((request, response) => {
    open += 1
    most = Math.max(most, open)
    response.on('close', () => (open -= 1))
    answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  try {
    const ran = await runText(
      `suite_name: Test\nretry: { max_attempts: 3, on: 5xx }\nbase_url: 'http://127.0.0.1:${port}'\nsteps:\n${steps}`,
      options,
    )
    return { ...ran, most }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** Accepts a key the first time and refuses it afterwards. */
function createOrders(): RequestListener {
  const seen = new Set<string>()
  return (request, response) => {
    const key = String(request.headers['idempotency-key'])
    const isNew = !seen.has(key)
    seen.add(key)
    response.writeHead(isNew ? 201 : 409, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ number: seen.size, is_new: isNew }))
  }
}

const BURST = `
  - name: Orders
    request: { method: POST, url: /orders, headers: { idempotency-key: '{{js: crypto.randomUUID()}}' }, body: {} }
    burst: { times: 20, concurrent: 20 }`

test('one request is sent many times, its answers are counted, checked one by one, and captured as a list', async () => {
  const { outcomes, run: state } = await run(
    `${BURST}
    assert:
      status_code: [201, 409]
      body: { number: 1 }
      custom: [{ condition: "responses.length === 20 && status_code >= 201" }]
      responses:
        - { where: { status_code: 201, body.is_new: true }, count: 1 }
        - { where: { status_code: 4xx }, count: { greater_than: 18, less_than: 20 } }
    capture: { statuses: 'sort(responses[].status_code)', first: 'responses[?status_code == \`201\`].body.number | [0]' }
`,
    createOrders(),
  )
  const orders = outcomes['Orders']
  expect(orders?.failures).toEqual([])
  expect(state.captures).toMatchObject({
    first: 1,
    statuses: [201, ...Array.from({ length: 19 }, () => 409)],
  })
  expect(orders?.result.assertions_results.map(({ field }) => field)).toEqual([
    'status_code',
    'body.number.equals',
    'responses[0].count',
    'responses[1].count.greater_than',
    'responses[1].count.less_than',
    'responses.length === 20 && status_code >= 201',
  ])
  expect(orders?.result.burst).toMatchObject({ times: 20, concurrent: 20 })
  expect(orders?.result.burst?.responses).toHaveLength(20)
})

test('a failed check says which answer it is about, and the report shows that one', async () => {
  let sent = 0
  const { outcomes, most } = await run(
    `
  - name: Reads
    request: { url: / }
    burst: { times: 6, concurrent: 1 }
    assert:
      status_code: 200
      body: { n: { less_than: 6 } }
      responses: [{ where: { body: { n: { greater_than: 4 } } }, count: 1 }]
`,
    (_request, response) => {
      sent += 1
      response.writeHead(sent === 3 || sent === 4 ? 503 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ n: sent }))
    },
  )
  const reads = outcomes['Reads']
  expect(most).toBe(1)
  expect(reads?.failures.map(({ message }) => message)).toEqual([
    'Expected `status_code` to be 200, got 503 (response 3 of 6, one of 2 that failed)',
    'Expected `body.n` to be less than 6, got `6` (number) (response 6 of 6)',
    'Expected `responses[0].count` to equal `1` (number), got `2` (number); the responses: 4 × 200, 2 × 503',
  ])
  expect(reads?.result.response_details).toMatchObject({ status_code: 503, body: { n: 3 } })
  expect(reads?.exchange?.response?.statusCode).toBe(503)
})

test('a wrong count lists all statuses', async () => {
  let sent = 0
  const { outcomes } = await run(
    `
  - name: One fails
    request: { url: / }
    burst: { times: 5, concurrent: 1 }
    assert: { responses: [{ where: { status_code: 200 }, count: 5 }] }`,
    (_request, response) => {
      sent += 1
      response.writeHead(sent === 3 ? 503 : 200).end()
    },
  )
  expect(outcomes['One fails']?.failures[0]?.message).toMatch(/; the responses: 4 × 200, 1 × 503$/)
})

test('checks of `where` that no answer is right for give a warning, those with an operand without a value fail', async () => {
  const { outcomes } = await run(
    `
  - name: Reads
    request: { url: / }
    burst: { times: 2 }
    assert:
      responses:
        - { where: { body: { nn: 1 } }, count: 0 }
        - { where: { status_code: 500, body: { nn: 1 } }, count: 0 }
        - { where: { body: { n: '{{nobody}}' } }, count: 0 }
`,
    (_request, response) => response.setHeader('content-type', 'application/json').end('{"n":1}'),
  )
  expect(outcomes['Reads']?.result.warnings?.map(({ message }) => message)).toEqual([
    'The checks of `where` could not be made on any response: nothing at `body.nn`; `body` has: n (did you mean `n`?).',
  ])
  expect(outcomes['Reads']?.failures.map(({ message }) => message)).toEqual([
    expect.stringContaining('`nobody` has no value'),
  ])
})

test('what only some answers have is looked for in them alone, without a warning', async () => {
  let sent = 0
  const { outcomes } = await run(
    `
  - name: Reads
    request: { url: / }
    burst: { times: 2, concurrent: 1 }
    assert: { responses: [{ where: { body.n: 1 }, count: 1 }, { where: { body.n: 2 }, count: 0 }] }
`,
    (_request, response) => {
      sent += 1
      response.setHeader('content-type', 'application/json').end(sent === 1 ? '{"n":1}' : '{}')
    },
  )
  expect(outcomes['Reads']?.failures).toEqual([])
  expect(outcomes['Reads']?.result.warnings).toBeUndefined()
})

test('checks of a burst see what its step iterates over', async () => {
  const { outcomes } = await run(
    `
  - name: Reads
    iterate: { over: [{ path: /a }], as: item }
    request: { url: '{{item.path}}' }
    burst: { times: 2 }
    assert: { body: '{{item.path}}' }
`,
    (request, response) => response.end(request.url),
  )
  expect(outcomes['Reads']?.failures).toEqual([])
})

test('what answers are compared with need be in those alone that the other checks leave', async () => {
  let sent = 0
  const { outcomes } = await run(
    `
  - name: Mixed
    request: { url: / }
    burst: { times: 3, concurrent: 1 }
    assert:
      responses: [{ where: { status_code: 200, body: { total: '{{body.expected}}' } }, count: 2 }]
`,
    (_request, response) => {
      sent += 1
      response.writeHead(sent === 3 ? 429 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(sent === 3 ? { error: 'slow down' } : { total: 5, expected: 5 }))
    },
  )
  expect(outcomes['Mixed']?.failures).toEqual([])
})

test('requests are under way together, as many as the burst says', async () => {
  const waiting: (() => void)[] = []
  const { outcomes, most } = await run(
    `
  - name: Together
    request: { url: / }
    burst: { times: 12, concurrent: 4 }
    assert: { status_code: 200 }
`,
    (_request, response) => {
      waiting.push(() => response.end('ok'))
      if (waiting.length === 4) for (const answer of waiting.splice(0)) answer()
    },
  )
  expect(outcomes['Together']?.failures).toEqual([])
  expect(most).toBe(4)
})

test('requests without an answer fail the step, which judges the others', async () => {
  let sent = 0
  const step = (name: string): string => `
  - name: ${name}
    request: { method: POST, url: / }
    burst: { times: 4, concurrent: 2 }
    assert: { status_code: 200 }
`
  const some = await run(step('Some'), (request, response) => {
    sent += 1
    if (sent === 2) request.socket.destroy()
    else response.end()
  })
  expect(some.outcomes['Some']?.failures.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^1 of 4 requests got no response; the first of them: POST .* without a response/),
  ])
  expect(some.outcomes['Some']?.result.burst?.responses).toHaveLength(3)
  const none = await run(step('None'), (request) => request.socket.destroy())
  expect(none.outcomes['None']?.failures[0]?.message).toContain('4 of 4 requests got no response')
  expect(none.outcomes['None']?.result.assertions_results).toMatchObject([{ passed: false }])
})

test('a server error that nobody asks about is a warning, and the retry of the suite does not send a burst again', async () => {
  let sent = 0
  const { outcomes } = await run(
    `
  - name: Fails
    request: { url: / }
    burst: { times: 3 }
    assert: { body: { exists: true } }
    capture: { all: 'length(responses)' }
`,
    (_request, response) => {
      sent += 1
      response.writeHead(500).end('x')
    },
  )
  expect(sent).toBe(3)
  expect(outcomes['Fails']?.result.warnings?.map(({ message }) => message)).toEqual([
    expect.stringContaining('The response had status 500, and no check looks at it.'),
  ])
})

test('a check of `where` for one value fails where a header came several times, instead of not counting', async () => {
  let sent = 0
  const { outcomes } = await run(
    `
  - name: Logs in
    request: { url: / }
    burst: { times: 2, concurrent: 1 }
    assert: { responses: [{ where: { headers.set-cookie: { contains: sid } }, count: 0 }] }
`,
    (_request, response) => {
      response.setHeader('set-cookie', ['lang=de', 'sid=1'].slice(0, sent++ === 0 ? 1 : 2))
      response.end()
    },
  )
  expect(outcomes['Logs in']?.failures[0]?.message).toContain(
    'The `contains` check of `headers.set-cookie` needs a single value, got 2',
  )
})

test('what passed without being looked at is told of every answer', async () => {
  const counts = new Map<string, number>()
  const { outcomes } = await run(
    `
  - { name: Unseen, request: { url: /a }, burst: { times: 3 } }
  - name: Empty
    request: { url: /b }
    burst: { times: 3, concurrent: 1 }
    assert: { status_code: 2xx, body: { list: { each: { type: number } } } }
  - name: Counted
    request: { url: /d }
    burst: { times: 3, concurrent: 1 }
    assert: { responses: [{ where: { body: { list: { each: { type: number } } } }, count: 3 }] }
  - name: Sent twice
    request: { url: /c }
    burst: { times: 4, concurrent: 1 }
    assert: { status_code: 2xx }
`,
    (request, response) => {
      const { url = '' } = request
      const count = (counts.get(url) ?? 0) + 1
      counts.set(url, count)
      if (url === '/c' && count === 3) request.socket.destroy()
      const status = url === '/a' && count === 3 ? 429 : 200
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ list: count === 2 ? [] : [1] }))
    },
  )
  const warnings = ['Unseen', 'Empty', 'Counted', 'Sent twice'].map((name) =>
    outcomes[name]?.result.warnings?.map(({ message }) => message),
  )
  expect(warnings).toEqual([
    [expect.stringMatching(/^The response had status 429, and no check looks at it/)],
    [expect.stringMatching(/`each` of `body\.list` checked nothing/)],
    [expect.stringMatching(/`each` of `body\.list` checked nothing/)],
    [expect.stringMatching(/\/c was sent twice: /)],
  ])
})

test('the bodies of all responses have a limit together, also after decoding', async () => {
  const packed = gzipSync(Buffer.alloc(450_000))
  const { outcomes } = await run(
    '  - { name: Large, request: { url: / }, burst: { times: 6, concurrent: 2 }, assert: { status_code: 200 } }\n',
    (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed),
    { bodyBudget: 2_000_000 },
  )
  expect(outcomes['Large']?.failures.map(({ message }) => message)).toEqual([
    'The bodies of the burst are larger than 2000000 bytes together (option `limits.bodies`).',
  ])
})

test('the bodies of all responses may have as many bytes as the limit allows', async () => {
  const { outcomes } = await run(
    '  - { name: Exact, request: { url: / }, burst: { times: 2 } }\n',
    (_request, response) => response.end(Buffer.alloc(5000)),
    { bodyBudget: 10_000 },
  )
  expect(outcomes['Exact']?.failures).toEqual([])
})

test('bodies that decoding makes large are decoded one after the other, up to the limit', async () => {
  const packed = gzipSync(Buffer.alloc(20_000_000))
  const start = process.memoryUsage().arrayBuffers
  let most = 0
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage().arrayBuffers - start)), 1)
  await run(
    '  - { name: Large, request: { url: / }, burst: { times: 20, concurrent: 20 } }\n',
    (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed),
    { bodyBudget: 30_000_000 },
  )
  clearInterval(timer)
  expect(most).toBeLessThan(150_000_000)
})

test('a burst that is stopped while its responses are checked has not passed', async () => {
  const stop = new AbortController()
  let sent = 0
  const { outcomes } = await run(
    `  - name: Slow
    request: { url: / }
    burst: { times: 20, concurrent: 20 }
    assert: { custom: [{ condition: 'Array.from({ length: 200000 }, String).sort().length > 0' }] }
`,
    (_request, response) => {
      sent += 1
      if (sent === 20) setTimeout(() => stop.abort(new Error('time is up')), 100)
      response.end('{}')
    },
    { context: { signal: stop.signal } },
  )
  expect(outcomes['Slow']?.failures[0]?.message).toBe('The step was stopped: time is up')
})
