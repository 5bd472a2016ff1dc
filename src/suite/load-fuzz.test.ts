import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SuiteError } from '../errors.ts'
import { loadSuite } from './load-suite.ts'

const examples = join(import.meta.dirname, '../../examples/echo')
const texts = [
  ...readdirSync(examples)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => join(examples, name)),
  join(import.meta.dirname, 'fixtures/bad-settings.yaml'),
].map((path) => readFileSync(path, 'utf8'))

// Pieces that mean something in YAML, in templates or to terminals.
const pieces = [
  ...Array.from('{}[]:,-?&*!|>\'"%@`#~<= \t\n\r\\\0\x1b\x7f\x85\u2028\u202e\ud800\ufeff'),
  '{{',
  '}}',
  '{{a}}',
  '{{js: ',
  '&a ',
  '*a',
  '<<: *a',
  '!!int ',
  '---\n',
  '...\n',
  '%YAML 1.1\n',
  '__proto__: ',
  '  ',
  '- ',
  ': ',
  '"\\x7b"',
  '.nan',
  '9e999',
  '007',
  '\n  ',
  'é',
  '漢',
  '😀',
  'null',
  'status_code',
  'assert:',
  'steps:',
]

/** A generator of numbers below a bound; the same seed gives the same numbers (mulberry32). */
function createRandom(seed: number): (bound: number) => number {
  let state = seed
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound
  }
}

function mutate(text: string, random: (bound: number) => number): string {
  let mutated = text
  for (let count = random(6) + 1; count > 0; count -= 1) {
    const [start, length] = [random(mutated.length + 1), random(12)]
    const kind = random(4)
    const piece = pieces[random(pieces.length)] as string
    const rest = mutated.slice(start + (kind === 0 ? 0 : length))
    const moved = mutated.slice(random(mutated.length), random(mutated.length))
    mutated = mutated.slice(0, start) + (kind === 1 ? '' : kind === 2 ? moved.slice(0, 200) : piece) + rest
  }
  return mutated
}

/** Looks for a fault in loading a text: a crash, an error without a message, a raw control character. */
async function findFault(text: string, compat: boolean): Promise<string | undefined> {
  const options = { folder: examples, compat }
  const outcome: unknown = await loadSuite({ path: 'a.suite.yaml', text }, options).catch(
    (error: unknown) => error,
  )
  if (!(outcome instanceof Error)) return undefined
  if (!(outcome instanceof SuiteError)) return `${String(outcome.stack)} of ${JSON.stringify(text)}`
  const { message, problems } = outcome
  const lines = text.split('\n').length
  if (problems.length === 0 || problems.some(({ at }) => at[0] > lines)) return message
  return /(?!\n)[\p{Cc}\p{Cs}\p{Bidi_Control}]/u.test(message) ? JSON.stringify(message) : undefined
}

test.each([1, 2, 3])(
  'a mutated text loads or says why, without a raw control character (seed %i)',
  async (seed) => {
    const random = createRandom(seed)
    for (let round = 0; round < 150; round += 1)
      expect(
        await findFault(mutate(texts[random(texts.length)] as string, random), random(3) === 0),
      ).toBeUndefined()
  },
)

// Has every key of the format, so that each of them gets values of any kind.
const whole = {
  suite_name: 'S',
  node_id: 's',
  description: 'd',
  metadata: { priority: 'high', tags: ['a'], estimated_duration_ms: 1 },
  base_url: 'http://localhost',
  variables: { a: '{{b}}', b: { c: ['{{js: 1}}'] } },
  exports: ['a'],
  depends: ['other'],
  timeout: 1,
  retry: { max_attempts: 2, on: [500], until: 'true' },
  redact: ['password'],
  cookies: true,
  clock: '2026-01-01T00:00:00Z',
  defaults: {
    headers: { h: 'x' },
    auth: { basic: { username: 'u', password: 'p' } },
    assert: { status_code: '2xx' },
  },
  setup: [{ name: 'in', request: { url: '/in' } }],
  teardown: [{ name: 'out', request: { url: '/out' } }],
  each: [{ row: 1 }],
  mocks: [{ url: 'http://x.test', when: { params: {} }, respond: { status: 200, body: {} }, times: 1 }],
  steps: [
    {
      name: 'n {{row}}',
      step_id: 'i',
      request: {
        method: 'GET',
        url: '/{{a}}',
        params: { p: 1 },
        headers: { h: '{{a}}' },
        auth: { bearer: 't' },
        body: { b: 1 },
      },
      assert: {
        status_code: [200],
        headers: { h: { contains: 'x' } },
        body: { a: { type: 'string', each: { length: 1 } } },
        response_time_ms: { less_than: 5 },
        custom: [{ name: 'c', condition: 'body.ok', message: 'm' }],
      },
      capture: { x: 'body.x', y: { path: 'body.y', default: 1 } },
      scenarios: [
        {
          name: 's',
          condition: 'status_code == 200',
          // oxlint-disable-next-line unicorn/no-thenable -- the format's own word
          then: { assert: { status_code: 200 }, capture: { z: 'body' }, variables: { v: 1 } },
          else: { variables: { v: 2 } },
        },
      ],
      skip: 'false',
      iterate: { over: [1], as: 'item' },
      delay_ms: 1,
      advance: '1s',
    },
    {
      name: 'socket',
      websocket: {
        url: '/chat',
        protocols: ['a', 'b'],
        headers: { h: '{{a}}' },
        exchange: [
          { send: { a: 1 } },
          { expect: { a: 1 }, within: '1s', capture: { m: 'message.a' } },
          { close: 1000 },
        ],
      },
    },
    {
      name: 'stream',
      request: {
        url: '/events',
        method: 'POST',
        form: { a: [1] },
        insecure: true,
        proxy: 'http://p',
        follow_redirects: 2,
      },
      stream: { until: 'event.data == `1`', within: '1s' },
      save: 'x.bin',
    },
    {
      name: 'burst',
      request: { url: '/orders', graphql: { query: '{ a }', variables: { a: 1 } } },
      burst: { times: 2, concurrent: 2 },
      assert: { responses: [{ where: { status_code: 201 }, count: 1 }] },
      body_as: 'text',
    },
    {
      name: 'call',
      call: { suite: 'other', step: 'y', variables: { a: 1 } },
    },
  ],
}
// The same for flow-test-engine and its keys.
const flowTest = {
  suite_name: 'S',
  node_id: 's',
  metadata: { priority: 'high', tags: ['a'], estimated_duration_ms: 1 },
  base_url: 'http://localhost',
  variables: { a: '{{b}}', b: 'x' },
  exports: ['x'],
  depends: [{ path: './other.yaml', required: true }],
  steps: [
    {
      name: 'n',
      request: { method: 'GET', url: '/{{a}}', headers: { h: '{{a}}' }, params: { p: 1 } },
      assert: { status_code: 200, body: { a: { equals: 1 } }, custom: [{ name: 'c', condition: 'body.ok' }] },
      capture: { x: 'body.x' },
      metadata: { retry: { max_attempts: 2, delay_ms: 1, retry_on: [{ status_code: 500 }] }, timeout: 5 },
      input: { variable: 'v', ci_default: 1 },
    },
    { name: 'call', call: { test: './x.yaml', step: 'y', variables: { a: 1 }, path_type: 'absolute' } },
  ],
}

const values: unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e300,
  '',
  ' ',
  'text',
  '{{a}}',
  '{{',
  '{{js: (}}',
  [],
  [null],
  [[]],
  ['x'],
  {},
  { a: {} },
  { __proto__: null, constructor: 1 },
  [{ a: [] }],
  [[{ a: {} }]],
  [[[]], {}],
  '[',
  'a ===',
  '\u001b[31m',
  '漢字',
  'x'.repeat(300),
]

test.each([
  { document: whole, compat: false },
  { document: flowTest, compat: true },
])('without a change, a document for the next test loads (compat: $compat)', async ({ document, compat }) => {
  const source = { path: 'a.suite.yaml', text: JSON.stringify(document) }
  const { steps } = await loadSuite(source, { folder: examples, compat })
  expect(steps).toHaveLength(document.steps.length)
})

test.each([1, 2])('any value in any place loads or says why (seed %i)', async (seed) => {
  const random = createRandom(seed)
  const replace = (part: unknown, among: number): unknown => {
    if (random(among) === 0) return values[random(values.length)]
    if (Array.isArray(part)) return part.map((item) => replace(item, among))
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(
      Object.entries(part).map(([key, value]) => [
        random(among * 3) === 0 ? `${key}x` : key,
        replace(value, among),
      ]),
    )
  }
  for (let round = 0; round < 250; round += 1) {
    const compat = random(3) === 0
    // With fewer mistakes in it, more of the suite is read.
    const text = JSON.stringify(replace(compat ? flowTest : whole, [15, 100, 300][round % 3] as number))
    expect(await findFault(text, compat)).toBeUndefined()
  }
})
