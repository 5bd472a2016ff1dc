import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import type { MockCall } from '../mock/mock.ts'
import type { CredentialRequest, ConnectionNote, Redirect, Timings } from '../request/exchange.ts'
import type { Attempt, RequestDetails, ResponseDetails, StepResult, SuiteResult } from '../run/result.ts'
import { makeExchanges } from './fixtures/make-exchanges.ts'
import { makeRun } from './fixtures/make-run.ts'
import { figuresOf, makeScenariosMeta, makeSuite } from './fixtures/make-results.ts'
import { computePerformance } from './performance/compute-performance.ts'
import performanceSchema from './schema/performance.schema.json' with { type: 'json' }
import suiteSchema from './schema/suite-result.schema.json' with { type: 'json' }

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const ajv = new Ajv({ allErrors: true, formats: { 'date-time': isoTime } })

const isSuite = ajv.compile<SuiteResult>(suiteSchema)
const isReport = ajv.compile(performanceSchema)

test('suite results of every outcome are valid', () => {
  for (const suite of [...makeRun(), makeExchanges()])
    expect([isSuite(suite), isSuite.errors]).toEqual([true, null])
})

test('a step with all that a result can have is valid', () => {
  const request: Required<RequestDetails> = {
    method: 'GET',
    url: '/a',
    headers: {},
    body: 1,
    params: {},
    base_url: 'http://host',
    full_url: 'http://host/a',
    curl_command: 'curl',
    raw_request: 'GET /a',
    raw_url: '{{base_url}}/a',
  }
  const response: Required<ResponseDetails> = {
    status_code: 200,
    headers: { 'set-cookie': ['a=1', 'b=2'] },
    body: [],
    size_bytes: 2,
    transfer_bytes: 2,
    events: [{ event: 'a', data: {}, id: '1', at_ms: 1 }],
    first_event_ms: 1,
    messages: [{ direction: 'sent', type: 'text', data: 'a', at_ms: 1 }],
    close_code: 1000,
    close_reason: '',
    raw_response: 'HTTP/1.1 200 OK',
  }
  const attempt: Required<Attempt> = {
    attempt: 1,
    start_time: '2026-01-01T00:00:00.000Z',
    duration_ms: 1,
    delay_ms: 0.5,
    status: 'failure',
    status_code: 500,
    error_message: 'a',
    request_details: request,
    response_details: response,
  }
  const redirect: Required<Redirect> = {
    status_code: 302,
    method: 'GET',
    url: 'http://host/a',
    location: '/b',
    target: 'http://host/b',
    set_cookies: ['sid'],
  }
  const timings: Required<Timings> = {
    dns: 1,
    connect: 1,
    tls: 1,
    ttfb: 1,
    download: 1,
    blocked: 1,
    total: 5,
  }
  const connection: Required<ConnectionNote> = { proxy: 'host:1', insecure: true, http2: true }
  const auth: Required<CredentialRequest> = {
    method: 'GET',
    url: 'http://host',
    status_code: 401,
    duration_ms: 1,
  }
  const call: Required<MockCall> = {
    method: 'GET',
    url: 'http://host',
    mock: 'a.yaml:1',
    status_code: 200,
    headers: { accept: '*/*' },
    sent: null,
    answered: 1,
    outcome: 'mocked',
  }
  const step: Required<StepResult> = {
    step_id: 'a',
    qualified_step_id: 'a::a',
    step_name: 'A',
    status: 'failure',
    flaky: true,
    start_time: '2026-01-01T00:00:00.000Z',
    duration_ms: 1,
    request_details: request,
    response_details: response,
    assertions_results: [{ field: 'body', expected: 1, actual: null, passed: false, message: 'a' }],
    captured_variables: { a: 1 },
    available_variables: { a: 1 },
    scenarios_meta: makeScenariosMeta('a'),
    burst: {
      times: 2,
      concurrent: 1,
      shown: 0,
      responses: [{ at_ms: 0.5, status_code: 200, duration_ms: 0.5, size_bytes: 1, body: {} }],
    },
    timings,
    redirects: [redirect],
    connection,
    auth_requests: [auth],
    attempts: [attempt],
    mock_calls: [call],
    warnings: [{ message: 'a', line: 1, column: 1 }],
    error_message: 'a',
    skip_reason: 'a',
    iteration: { index: 0 },
    line: 1,
    failed_lines: [1],
  }
  const suite = { ...makeSuite([]), steps_results: [step] }
  expect([isSuite(suite), isSuite.errors]).toEqual([true, null])
})

test('a performance report with thresholds, baseline and errors is valid, and so is that of an empty run', () => {
  const figures = makeRun().map(figuresOf)
  const options = {
    thresholds: { p95: 1 },
    errors: ['late'],
    baseline: computePerformance(figures.slice(0, 2)),
  }
  for (const report of [computePerformance(figures, options), computePerformance([])]) {
    expect([isReport(report), isReport.errors]).toEqual([true, null])
  }
})

test('fields that the schema does not know, or lacks, are refused', () => {
  expect(isSuite({ ...makeSuite([]), extra: 1 })).toBe(false)
  const { node_id: _missing, ...rest } = makeSuite([])
  expect(isSuite(rest)).toBe(false)
  expect(isReport({ ...computePerformance([]), version: 2 })).toBe(false)
})
