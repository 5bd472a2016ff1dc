import { expect, test } from 'vitest'
import type { HeaderLines } from '../request/exchange.ts'
import type { JsonObject } from '../json.ts'
import type { StepResult } from '../run/result.ts'
import type { StepOutcome } from '../run/step-outcome.ts'
import { makeStep } from './fixtures/make-results.ts'
import { learnStep } from './learn-step.ts'
import { StepReporter } from './report-step.ts'
import { serialiseStep } from './step-record.ts'
import { createRedactor, type Redactor } from '../secrets/redactor.ts'
import { searchFor } from '../secrets/secret-search.ts'

const canary = 'canary-7f3a/9+x'
const json = ['content-type', 'application/json'] as const

type Sent = { url?: string; headers?: HeaderLines; body?: string; file?: string }
type Received = { headers?: HeaderLines; body: string | Uint8Array }

/** An outcome with request and response as on the wire. */
function makeOutcome(changes: Partial<StepResult>, sent: Sent = {}, received?: Received): StepOutcome {
  const { url = 'http://h/', headers = [], body, file } = sent
  return {
    result: makeStep({
      request_details: { method: 'POST', url, headers: {}, full_url: url, raw_url: url },
      ...changes,
    }),
    failures: [],
    exchange: {
      request: { method: 'POST', url, headers, ...(body !== undefined && { body: Buffer.from(body) }) },
      ...(file !== undefined && { file }),
      ...(received && {
        response: {
          statusCode: 200,
          statusText: 'OK',
          httpVersion: '1.1',
          headers: received.headers ?? [],
          body: Buffer.from(received.body),
          transferBytes: received.body.length,
        },
      }),
    },
  }
}

/** The steps of a suite as in its result file. */
function report(outcomes: readonly StepOutcome[], redactor: Redactor, keep?: number): StepResult[] {
  const reporter = new StepReporter(redactor, keep)
  return outcomes.map((outcome) => {
    learnStep(redactor, outcome.result)
    return JSON.parse(serialiseStep(reporter.report(outcome))) as StepResult
  })
}

test('headers of an answer may be called like what every object has', () => {
  const headers = [
    ['Constructor', 'a'],
    ['__proto__', 'b'],
    ['__PROTO__', 'c'],
  ] as const
  const [step] = report([makeOutcome({}, { headers }, { headers, body: '' })], createRedactor())
  expect(Object.entries(step?.response_details?.headers ?? {})).toEqual([
    ['constructor', 'a'],
    ['__proto__', ['b', 'c']],
  ])
  expect(Object.entries(step?.request_details?.headers ?? {})).toEqual(headers)
})

test('tells an answer of `null` from one without a body', () => {
  const bodies = ['null', ''].map((body) => makeOutcome({}, {}, { body, headers: [json] }))
  const steps = report(bodies, createRedactor())
  expect(steps.map((step) => step.response_details?.body)).toEqual([null, ''])
})

test('hides a secret in every field of a step, in every encoding', () => {
  const outcome = makeOutcome(
    {
      step_name: `log in with ${canary}`,
      error_message: `GET http://h/?q=${encodeURIComponent(canary)} failed`,
      request_details: {
        method: 'POST',
        url: `/login?x=${encodeURIComponent(canary)}`,
        headers: { authorization: `Bearer ${canary}`, 'x-other': canary },
        body: { [canary]: [canary] },
        full_url: `http://user:${encodeURIComponent(canary)}@h/login`,
        raw_url: `/login?x=${canary}`,
      },
      captured_variables: { a: canary },
      available_variables: { 'other.a': { deep: canary } },
      assertions_results: [
        {
          field: `body.${canary}`,
          expected: canary,
          actual: [canary],
          passed: false,
          message: `got ${canary}`,
        },
      ],
      attempts: [
        {
          attempt: 1,
          start_time: '',
          duration_ms: 1,
          delay_ms: 0,
          status: 'failure',
          error_message: canary,
        },
      ],
      warnings: [{ message: canary, line: 1, column: 1 }],
      redirects: [
        {
          status_code: 302,
          method: 'GET',
          url: `http://h/${canary}`,
          location: canary,
          target: `http://h/${canary}`,
        },
      ],
      mock_calls: [
        {
          method: 'GET',
          url: canary,
          sent: { password: 'hidden-by-name' },
          answered: canary,
          outcome: 'mocked',
        },
      ],
      iteration: { row: canary },
      skip_reason: canary,
    },
    {
      headers: [
        ['Authorization', `Basic ${Buffer.from(`u:${canary}`).toString('base64')}`],
        ['X-Other', canary],
      ],
      body: JSON.stringify({ [canary]: [canary] }),
    },
    { headers: [['Set-Cookie', `a=${canary}`]], body: `{"a":"${canary}"}` },
  )
  const text = JSON.stringify(report([outcome], createRedactor({ search: searchFor([canary]) })))
  expect(text).not.toContain('canary')
  expect(text).not.toContain('hidden-by-name')
  expect(text).toContain('"answered":"[redacted]"')
  expect(text).not.toContain(encodeURIComponent(canary))
  expect(text).not.toContain(Buffer.from(canary).toString('base64').slice(0, 12))
})

test('derives curl line, raw texts, headers and body from what was on the wire', () => {
  const [step] = report(
    [
      makeOutcome(
        {},
        { url: 'http://h/p?q=1', headers: [['X-A', '1']], body: '{"n":1.0}' },
        { headers: [['Content-Type', 'application/json']], body: '{"b": 2.50, "a": 1}' },
      ),
    ],
    createRedactor(),
  )
  expect(step?.request_details).toMatchObject({
    headers: { 'X-A': '1' },
    raw_request: 'POST /p?q=1 HTTP/1.1\r\nX-A: 1\r\n\r\n{"n":1.0}',
    curl_command: expect.stringContaining(`--data-raw '{"n":1.0}'`),
  })
  expect(step?.response_details).toMatchObject({
    headers: { 'content-type': 'application/json' },
    body: { b: 2.5, a: 1 },
    raw_response: 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{"b": 2.50, "a": 1}',
  })
})

test('shows the variables of each step, long ones once in the suite', () => {
  const long = 'x'.repeat(2000)
  const seen = [{ a: '1', long }, { a: '1', b: '2', long }, { b: '3' }]
  const steps = report(
    seen.map((available_variables) => makeOutcome({ available_variables })),
    createRedactor(),
  )
  const cut = '[cut: 2 KiB, see `available_variables` of the suite]'
  expect(steps.map((step) => step.available_variables)).toEqual([
    { a: '1', long: cut },
    { a: '1', b: '2', long: cut },
    { b: '3' },
  ])
})

test('a variable without a value is not shown, whatever it was in the step before', () => {
  const seen = [{ own: 'a', kept: 1 }, { own: undefined, kept: 1 }, { own: 'b' }] as unknown as JsonObject[]
  const steps = report(
    seen.map((available_variables) => makeOutcome({ available_variables })),
    createRedactor(),
  )
  expect(steps.map((step) => step.available_variables)).toEqual([
    { own: 'a', kept: 1 },
    { kept: 1 },
    { own: 'b' },
  ])
})

test('hides short secrets in assertion rows of a secret field, but not what is expected of its type or size', () => {
  const row = { passed: true, message: 'OK' }
  const outcome = makeOutcome({
    assertions_results: [
      { ...row, field: 'body.json.token.equals', expected: 'abc', actual: 'abd' },
      { ...row, field: 'body.json.token.type', expected: 'string', actual: 'string' },
      { ...row, field: 'body.json.token[0].minLength', expected: '>= 3', actual: 3 },
      { ...row, field: 'body.json.token.length', expected: 5, actual: 12345 },
      { ...row, field: 'body.json.size.equals', expected: 'abc', actual: 1 },
    ],
  })
  const [step] = report([outcome], createRedactor())
  expect(step?.assertions_results.map(({ expected, actual }) => [expected, actual])).toEqual([
    ['[redacted]', '[redacted]'],
    ['string', 'string'],
    ['>= 3', '[redacted]'],
    [5, '[redacted]'],
    ['abc', 1],
  ])
})

test('cuts big bodies and raw texts, says how big they were, and leaks no half secret at the cut', () => {
  const items = Array.from({ length: 50_000 }, (_, id) => ({ id, name: `item ${id}` }))
  const redactor = createRedactor({ search: searchFor([canary]) })
  const [json, text] = report(
    [
      makeOutcome(
        {},
        {},
        { headers: [['content-type', 'application/json']], body: JSON.stringify({ items }) },
      ),
      makeOutcome({}, {}, { body: `${'x'.repeat(65_530)}${canary}${'y'.repeat(1_000_000)}` }),
    ],
    redactor,
  )
  const body = JSON.stringify(json?.response_details?.body)
  expect(body.length).toBeLessThan(90_000)
  expect(body).toMatch(/\[cut: \d+ more items \(64 KiB shown\)\]/)
  expect(text?.response_details?.raw_response).toMatch(/x\[redac… \[cut: 64 KiB of 1 MiB shown\]$/)
  expect(JSON.stringify(text)).not.toContain('canary')
})

test('leaves out a curl command that would have to be cut', () => {
  const [step] = report([makeOutcome({}, { body: 'x'.repeat(300_000) })], createRedactor())
  expect(step?.request_details?.curl_command).toBe(
    '# left out: the command is 293 KiB long; raise `limits.reportBody` to have it',
  )
})

test('keeps bytes that are not text as a data URI, and counts them in raw texts', () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
  const [step] = report(
    [makeOutcome({}, {}, { headers: [['Content-Type', 'image/png']], body: png })],
    createRedactor(),
  )
  expect(step?.response_details?.body).toBe(`data:image/png;base64,${png.toString('base64')}`)
  expect(step?.response_details?.raw_response).toContain('[binary body of 16 bytes]')
})
