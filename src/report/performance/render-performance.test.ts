import { figuresOf } from '../fixtures/make-results.ts'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { makeRun } from '../fixtures/make-run.ts'
import { computePerformance } from './compute-performance.ts'
import type { StepFigures } from './figures.ts'
import { renderLine, renderPerformanceText } from './render-performance.ts'
import { measureText } from '../../text/measure-text.ts'

const report = computePerformance(makeRun().map(figuresOf), {
  thresholds: { p95: 100 },
  baseline: computePerformance(makeRun().map(figuresOf)),
})

function renderPlain(shown: typeof report, width = 80): string {
  return stripVTControlCharacters(renderPerformanceText(shown, width))
}

test('fits any terminal of at least 60 columns, without colour', () => {
  for (const width of [60, 80, 120, 300]) {
    const text = renderPlain(report, width)
    const table = text.split('\n').filter((line) => /Catalogue|Read item|average/.test(line))
    expect(Math.max(...table.map(measureText))).toBeLessThanOrEqual(width)
    expect(text).not.toMatch(/[^\P{Cc}\n]/u)
  }
})

test('reads like this', () => {
  expect(renderPlain(report)).toMatchInlineSnapshot(`
    "  Performance  120 requests of 13 suites in 5.73 s, 20.93/s
      average 102 ms  median 84 ms  p95 159 ms
      p99 167 ms  fastest 9.7 ms  slowest 2.01 s

      0-100ms    ████████████████████  71   59 %
      100-500ms  ██████████████        48   40 %
      500ms-1s                          0    0 %
      1s-2s                             0    0 %
      2s+        █                      1    1 %

      Suite                      Total  Steps  Average step  Success  Rating
      Retries and slow answers  5.13 s      2        2.57 s    100 %       E
      Catalogue, part 7         499 ms     12         95 ms    100 %       B
      Catalogue, part 6         488 ms     12         97 ms    100 %       B
      Catalogue, part 5         477 ms     12        100 ms    100 %       B
      Catalogue, part 4         466 ms     12         89 ms    100 %       B
      Catalogue, part 3         455 ms     12         91 ms    100 %       B
      Catalogue, part 9         454 ms     12         90 ms    100 %       B
      Catalogue, part 2         444 ms     12         93 ms    100 %       B
      Catalogue, part 8         443 ms     12         93 ms    100 %       B
      Catalogue, part 1         433 ms     12         82 ms    100 %       B
      … and 3 more in performance.json

      Slowest requests
       1.  Wait two seconds                GET /get  2.01 s  200
       2.  Read item 84 of the catalogue   GET /get  167 ms  200
       3.  Read item 68 of the catalogue   GET /get  166 ms  200
       4.  Read item 52 of the catalogue   GET /get  165 ms  200
       5.  Read item 103 of the catalogue  GET /get  162 ms  200
       6.  Read item 87 of the catalogue   GET /get  161 ms  200
       7.  Read item 21 of the catalogue   GET /get  159 ms  200
       8.  Read item 5 of the catalogue    GET /get  158 ms  200
       9.  Read item 72 of the catalogue   GET /get  156 ms  200
      10.  Read item 56 of the catalogue   GET /get  155 ms  200

      Average request against the baseline  Before     Now  Change
      all suites                            102 ms  102 ms     0 %
      auth                                   50 ms   50 ms     0 %
      webhooks                               66 ms   66 ms     0 %
      retries                               1.01 s  1.01 s     0 %
      catalogue-1                            82 ms   82 ms     0 %
      catalogue-2                            80 ms   80 ms     0 %
      catalogue-3                            78 ms   78 ms     0 %
      catalogue-4                            89 ms   89 ms     0 %
      catalogue-5                           100 ms  100 ms     0 %
      catalogue-6                            97 ms   97 ms     0 %
      catalogue-7                            95 ms   95 ms     0 %

      Warning: 1 request took longer than 2 s; the slowest is \`Wait two seconds\` (GET /get) with 2.01 s.
      Threshold not met: \`p95\` is 159 ms; \`report.thresholds.p95\` allows 100 ms
    "
  `)
})

test('what changed most against the baseline comes first, faster or slower', () => {
  const now = makeRun().map(figuresOf)
  const baseline = computePerformance(now)
  const before = new Map([
    ['catalogue-3', 60],
    ['catalogue-5', 400],
    ['catalogue-7', 90],
    ['auth', 10],
  ])
  for (const suite of baseline.suites)
    if (before.has(suite.node_id)) suite.average_request_ms = before.get(suite.node_id) as number
  const text = renderPlain(computePerformance(now, { baseline }))
  const [, table = ''] = text.split('against the baseline')
  const rows = table.split('\n').filter((line) => line.endsWith('%'))
  expect(rows.slice(0, 5).map((line) => line.trim().split(/ {2,}/).at(0))).toEqual([
    'all suites',
    'auth',
    'catalogue-5',
    'catalogue-3',
    'catalogue-7',
  ])
})

test('is in colour', () => {
  expect(renderPerformanceText(report, 80)).toContain('\u001b[1mPerformance\u001b[22m')
})

test('escapes what suites and servers wrote', () => {
  const hostile = computePerformance([
    { ...figuresOf(makeRun()[0] as never), suite_name: '\u001b[2Jx\u202ey\nz' },
  ])
  expect(renderPlain(hostile)).toContain(String.raw`\x1b[2Jx\u202ey\nz`)
})

test('praises no suite of which nothing ran', () => {
  const skipped = { ...figuresOf(makeRun()[0] as never), suite_name: 'Later', status: 'skipped' as const }
  const text = renderPlain(computePerformance([skipped]))
  expect(text).toMatch(/^ *Later .* – +–$/m)
})

test('names the iterations of a slow step', () => {
  const step = figuresOf(makeRun()[0] as never).steps[0] as StepFigures
  const steps = [{ iteration: 'n: 1' }, { iteration: 'n: 2' }, {}].map((more) =>
    Object.assign({}, step, { step_name: 'A' }, more),
  )
  const text = renderPlain(computePerformance([{ ...figuresOf(makeRun()[0] as never), steps }]))
  expect(text.match(/(?<=\d\. {2}).*?(?= {2,}POST)/g)).toEqual(['A · n: 1', 'A · n: 2', 'A'])
})

test('compares nothing if neither run sent a request', () => {
  const nothing = computePerformance([])
  expect(renderPlain(computePerformance([], { baseline: nothing }))).not.toContain('baseline')
})

test('says little of a run without requests', () => {
  expect(renderPlain(computePerformance([]))).toBe('  Performance  0 requests of 0 suites in 0 ms\n')
})

test('measures wide and combining characters', () => {
  expect(['abc', '日本', 'é', 'e\u0301', '👍'].map(measureText)).toEqual([3, 4, 1, 1, 2])
})

test('a line of the end of a run is never cut', () => {
  const path = 'packages/orders/reports/suitecase/index.html'
  expect(stripVTControlCharacters(renderLine('Report', path))).toBe(`     Report  ${path}`)
  expect(renderLine('Report', 'a\u001b')).toBe('\u001b[2m     Report\u001b[22m  a\\x1b')
})
