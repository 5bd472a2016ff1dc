import { describe, expect, test } from 'vitest'
import { buildResult, figuresOf, makeStep, makeSuite } from '../fixtures/make-results.ts'
import type { StepResult } from '../../run/result.ts'
import { checkThresholds, describeThreshold, type Thresholds } from './check-thresholds.ts'
import { parseBaseline } from './compare-baseline.ts'
import { computePerformance, type PerformanceReport } from './compute-performance.ts'
import { measureCovered } from '../count-steps.ts'
import { formatMs } from '../../text/units.ts'
import { distributeRequests, pickPercentile, rateSuite, summariseRequests } from './summarise-requests.ts'

const start = Date.parse('2026-01-02T03:04:05.000Z')

function run(
  times: readonly number[],
  changes: Partial<StepResult> = {},
  thresholds?: Thresholds,
): PerformanceReport {
  const steps = times.map((total, index) =>
    makeStep({
      step_id: `step-${index + 1}`,
      qualified_step_id: `a::step-${index + 1}`,
      step_name: `Step ${index + 1}`,
      start_time: new Date(start + index * 1000).toISOString(),
      duration_ms: Math.ceil(total) + 100,
      timings: { total },
      ...changes,
    }),
  )
  const suite = buildResult({
    node_id: 'a',
    suite_name: 'A',
    file_path: 'a.suite.yaml',
    priority: 'low',
    suite_yaml_content: '',
    steps,
  })
  return computePerformance([figuresOf(suite)], { ...(thresholds && { thresholds }) })
}

describe('percentiles', () => {
  test('are nearest rank', () => {
    const sorted = Array.from({ length: 100 }, (_, index) => index + 1)
    expect([0, 0.5, 0.95, 0.99, 1].map((share) => pickPercentile(sorted, share))).toEqual([
      1, 50, 95, 99, 100,
    ])
    expect(pickPercentile([7], 0.95)).toBe(7)
    expect(pickPercentile([15, 20, 35, 40, 50], 0.4)).toBe(20)
    expect(pickPercentile([], 0.5)).toBeUndefined()
  })

  test('of thousands of values need no big stack', () => {
    expect(
      summariseRequests(
        Array.from({ length: 500_000 }, () => 2),
        1000,
      ),
    ).toMatchObject({ average_ms: 2, requests_per_second: 500_000 })
  })
})

describe('buckets', () => {
  test('are half-open', () => {
    expect(
      distributeRequests([0, 99.999, 100, 499, 500, 999, 1000, 1999, 2000, 99_999]).map(({ count }) => count),
    ).toEqual([2, 2, 2, 2, 2])
  })

  test('have percents that add up to 100, whatever the counts', () => {
    const share = (counts: readonly number[]): number[] => {
      const times = counts.flatMap((count, index) =>
        Array.from({ length: count }, () => [0, 100, 500, 1000, 2000][index] as number),
      )
      return distributeRequests(times).map(({ percent }) => percent)
    }
    expect(share([1, 1, 1, 0, 0])).toEqual([33, 34, 33, 0, 0])
    expect(share([])).toEqual([0, 0, 0, 0, 0])
    let seed = 1
    for (let round = 0; round < 200; round += 1) {
      const counts = Array.from({ length: 5 }, () => (seed = (seed * 48_271) % 2_147_483_647) % 1000)
      counts[0] = (counts[0] as number) + 1
      const percents = share(counts)
      const total = counts.reduce((a, b) => a + b)
      expect(percents.reduce((a, b) => a + b)).toBe(100)
      expect(
        percents.every((percent, index) => Math.abs(percent - ((counts[index] as number) / total) * 100) < 1),
      ).toBe(true)
    }
  })
})

test('the rate leaves out the pauses between suites, such as those of merged shards', () => {
  expect(
    measureCovered([
      { start: 9000, end: 9500 },
      { start: 0, end: 1000 },
      { start: 200, end: 300 },
      { start: 500, end: 1500 },
    ]),
  ).toBe(2000)
})

test('request time is used, not step time; the rate is over the time in which suites ran', () => {
  const report = run([10, 20, 60])
  expect(report.summary).toEqual({
    requests: 3,
    average_ms: 30,
    median_ms: 20,
    p95_ms: 60,
    p99_ms: 60,
    fastest_ms: 10,
    slowest_ms: 60,
    requests_per_second: 1.39,
  })
  expect(report.suites[0]).toMatchObject({
    steps: 3,
    average_step_ms: 130,
    average_request_ms: 30,
    rating: 'A',
  })
})

test('skipped and unsent steps are not counted', () => {
  expect(run([10, 3000], { status: 'skipped' })).toMatchObject({
    summary: { requests: 0 },
    slowest: [],
    recommendations: [],
    totals: { steps_skipped: 2 },
  })
  expect(run([10], { status: 'skipped' }).suites[0]).not.toHaveProperty('rating')
})

test('the slowest ten are ranked, with the query cut and the path kept', () => {
  const report = run(Array.from({ length: 15 }, (_, index) => index * 10))
  expect(report.slowest).toHaveLength(10)
  expect(report.slowest[0]).toEqual({
    rank: 1,
    step_name: 'Step 15',
    qualified_step_id: 'a::step-15',
    method: 'GET',
    path: '/get',
    duration_ms: 140,
    status: 'success',
    status_code: 200,
  })
})

test('recommends: slow requests and a slow average warn; acceptable only when all are', () => {
  const levels = (times: number[], thresholds?: Thresholds): string[] =>
    run(times, {}, thresholds).recommendations.map(({ level }) => level)
  expect(levels([10, 500])).toEqual(['acceptable'])
  expect(levels([10, 501])).toEqual([])
  expect(levels([10, 500], { p95: 400 })).toEqual([])
  expect(levels([10, 500], { p95: 500 })).toEqual(['acceptable'])
  expect(levels([10, 2000])).toEqual(['warning'])
  expect(levels([1, 1, 1, 2001])).toEqual(['warning'])
  expect(levels([2001, 2500])).toEqual(['warning', 'warning'])
  expect(run([2001, 2500]).recommendations[0]?.message).toBe(
    '2 requests took longer than 2 s; the slowest is `Step 2` (GET /get) with 2.5 s.',
  )
})

test('rates by success and 95th percentile', () => {
  const cases: [number, number, string][] = [
    [100, 99.9, 'A'],
    [100, 100, 'B'],
    [100, 500, 'C'],
    [99, 10, 'C'],
    [95, 999, 'C'],
    [94.99, 10, 'D'],
    [80, 1999, 'D'],
    [79, 1, 'E'],
    [100, 2000, 'E'],
  ]
  for (const [success, p95, rating] of cases)
    expect([success, p95, rateSuite(success, p95)]).toEqual([success, p95, rating])
})

test('counts steps so that the four add up, and never calls green what is not', () => {
  const steps = (['success', 'failure', 'skipped', 'not_run', 'success'] as const).map((status) =>
    makeStep({ status }),
  )
  const base = { node_id: 'a', suite_name: 'A', file_path: 'a', priority: 'low', suite_yaml_content: '' }
  expect(buildResult({ ...base, steps })).toMatchObject({
    status: 'failure',
    steps_executed: 3,
    steps_successful: 2,
    steps_failed: 1,
    steps_skipped: 1,
    steps_not_run: 1,
    success_rate: 66.67,
  })
  const nearly = [makeStep({ status: 'failure' }), ...Array.from({ length: 30_000 }, () => makeStep({}))]
  expect(buildResult({ ...base, steps: nearly }).success_rate).toBe(99.99)
  expect(buildResult({ ...base, steps: [], error_message: 'broken' })).toMatchObject({
    status: 'failure',
    success_rate: 0,
  })
  // A suite may fail although its steps passed, as when a hook or an unreported step failed.
  expect(buildResult({ ...base, steps: [makeStep({})], error_message: 'no' }).success_rate).toBe(99.99)
  expect(buildResult({ ...base, steps: [makeStep({}), makeStep({ status: 'not_run' })] })).toMatchObject({
    status: 'not_run',
    success_rate: 100,
  })
  expect(buildResult({ ...base, steps: [makeStep({ status: 'skipped' })] })).toMatchObject({
    status: 'skipped',
    success_rate: 100,
  })
  expect(computePerformance([figuresOf(makeSuite([makeStep({})]))], { errors: ['x'] }).status).toBe('failure')
})

test.each([
  [
    { metric: 'p95', limit: 100, actual: 100.4, passed: false },
    '`p95` is 100.4 ms; `report.thresholds.p95` allows 100 ms',
  ],
  [
    { metric: 'slowest', limit: 1, passed: false },
    '`slowest` could not be measured, because no request was sent; `report.thresholds.slowest` allows 1 ms',
  ],
  [
    { metric: 'steps_flaky', limit: 0, actual: 2, passed: false },
    '`steps_flaky` is 2; `report.thresholds.steps_flaky` allows 0',
  ],
])('says how a figure compares with its limit: %o', (result, text) => {
  expect(describeThreshold(result)).toBe(text)
})

test('thresholds: upper limits, and a figure that is not there does not pass', () => {
  const report = run([300])
  expect(checkThresholds(report, { p95: 299, average: 300 }).map(({ passed }) => passed)).toEqual([
    false,
    true,
  ])
  expect(checkThresholds(run([5], { status: 'skipped' }), { p95: 500 })).toEqual([
    { metric: 'p95', limit: 500, passed: false },
  ])
  expect(checkThresholds(run([]), { steps_flaky: 0 })).toMatchObject([{ actual: 0, passed: true }])
  const flaky = run([5, 5], { flaky: true })
  expect(checkThresholds(flaky, { steps_flaky: 1 })).toMatchObject([{ actual: 2, passed: false }])
  expect(checkThresholds(flaky, { steps_flaky: 2 })).toMatchObject([{ passed: true }])
  expect(checkThresholds(report, { p95: '0.2s', slowest: '300ms' })).toMatchObject([
    { metric: 'p95', limit: 200, passed: false },
    { metric: 'slowest', limit: 300, passed: true },
  ])
})

test('a baseline that is not a report is refused with a reason', () => {
  expect(() => parseBaseline('{')).toThrow('JSON')
  expect(() => parseBaseline('{"version":2}')).toThrow('it is not a performance report of version 1')
  for (const rest of ['"suites":{}', '"suites":[5]', '"suites":[{"node_id":5}]', '"suites":[],"flaky":5'])
    expect(() => parseBaseline(`{"version":1,"summary":{},"failed":[],"flaky":[],${rest}}`)).toThrow(
      'it is not a performance report of version 1',
    )
  expect(parseBaseline(JSON.stringify(run([1]))).suites).toHaveLength(1)
})

test('a change is told in percent where there is something to compare', () => {
  const now = figuresOf(makeSuite([makeStep({ timings: { total: 150 } })]))
  const before = computePerformance([now])
  const change = (average: number | undefined): unknown => {
    const suites = before.suites.map(({ average_request_ms: _average, ...suite }) =>
      average === undefined ? suite : { ...suite, average_request_ms: average },
    )
    return computePerformance([now], { baseline: { ...before, suites } }).baseline?.suites[0]?.change_percent
  }
  expect([50, 150, 200, 0, undefined].map(change)).toEqual([200, 0, -25, undefined, undefined])
})

test('the rows of a suite are compared together, each request counted once', () => {
  const rows = (...times: number[][]) =>
    times.map((row) => figuresOf(makeSuite(row.map((total) => makeStep({ timings: { total } })))))
  const before = computePerformance(rows([100, 100, 100], [300]))
  const { baseline } = computePerformance(rows([200, 200, 200], [400]), { baseline: before })
  expect(baseline?.suites).toEqual([{ node_id: 'auth', before_ms: 150, now_ms: 250, change_percent: 66.7 }])
})

test('a report says how many suites ran at the same time, where that is known', () => {
  expect(computePerformance([], { concurrency: 4 }).concurrency).toBe(4)
  expect(computePerformance([])).not.toHaveProperty('concurrency')
})

test('durations read well', () => {
  expect([0, 0.123, 9.96, 12.4, 999.4, 999.6, 1250, 59_994, 65_000].map(formatMs)).toEqual([
    '0 ms',
    '0.12 ms',
    '10 ms',
    '12 ms',
    '999 ms',
    '1 s',
    '1.25 s',
    '59.99 s',
    '1 min 5 s',
  ])
})

test('a warning counts once: not again for each iteration, nor for what loading the suite said', () => {
  const warnings = [
    { message: '`plan` has no value. It stays as written.', line: 4, column: 7 },
    { message: '`user.address.city` has no value. It stays as written.', line: 4, column: 7 },
    { message: "`js: variables.plan + 'x'` has no value: `plan` has no value.", line: 4, column: 7 },
    { message: 'Nobody asked for the server error.', line: 5, column: 7 },
  ]
  const steps = [makeStep({ warnings }), makeStep({ warnings })]
  const atLoad = [
    { message: 'Nothing gives `plan` a value.', line: 4, column: 7 },
    { message: 'Nothing gives `user.address` a value.', line: 4, column: 7 },
  ]
  const figures = figuresOf(makeSuite(steps, { warnings: atLoad }))
  expect(figures.steps.map((step) => step.warnings)).toEqual([
    [{ message: 'Nobody asked for the server error.', line: 5, column: 7 }],
    undefined,
  ])
  expect(computePerformance([figures]).totals.warnings).toBe(3)
})

test('says what failed and what was flaky that did not and was not before', () => {
  const steps = [
    makeStep({ qualified_step_id: 'a::1', status: 'failure' }),
    makeStep({ qualified_step_id: 'a::2' }),
  ]
  const before = computePerformance([figuresOf(makeSuite(steps))])
  const now = [
    makeStep({ qualified_step_id: 'a::1', status: 'failure' }),
    makeStep({ qualified_step_id: 'a::2', status: 'failure' }),
    makeStep({ qualified_step_id: 'a::3', flaky: true }),
  ]
  const { baseline, flaky } = computePerformance([figuresOf(makeSuite(now))], { baseline: before })
  expect(flaky).toEqual(['a::3'])
  expect(baseline).toMatchObject({ newly_failed: ['a::2'], newly_flaky: ['a::3'] })
})
