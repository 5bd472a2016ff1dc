import { expect, onTestFinished, test, vi } from 'vitest'
import type { Vitest } from 'vitest/node'
import { printSummary } from './print-summary.ts'

type Summary = Parameters<typeof printSummary>[1]

test.each([
  ['agent', 'Failures: out/reports/failures.json'],
  ['default', '\n     Report  out/reports/index.html\n'],
])(
  'with the reporter `%s` the path of a report has `/`, as all other paths, on Windows too',
  (reporter, text) => {
    expect(print(reporter)).toContain(text)
  },
)

test('of many flaky steps ten places are listed, and the rest counted', () => {
  const steps = Array.from({ length: 11 }, (_, line) => ({ flaky: true, line }))
  const ran = [{ file_path: 'a', steps }] as unknown as Summary['ran']
  expect(print('default', { ran })).toMatch(/Flaky {2}11 passed, .*: a:0, .*, a:9, and 1 more place\n/)
})

test.each([
  [{ before_ms: 300 }, undefined],
  [{ before_ms: 300, now_ms: 300, change_percent: 0 }, 'average 300 ms before, 0 %'],
])('compares with a baseline only what was sent: %j', (baseline, told) => {
  const own = { ...nothing, baseline } as Summary['own']
  expect(/Baseline {2}(.*)/.exec(print('default', { own }))?.[1]).toBe(told)
})

test('after a rerun of some suites, shows the figures of no others', () => {
  const baseline = { before_ms: 300, now_ms: 300, change_percent: 0 }
  const report = { ...nothing, summary: { requests: 7 }, baseline } as Summary['report']
  expect(print('default', { report })).toContain('Performance  0 requests in 0 ms\n     Report')
  expect(print('default', { report, isFull: true })).toContain('Performance  0 requests of 1 suite in 0 ms\n')
})

test('the environment is named before the reports', () => {
  expect(print('default', { environment: 'staging' })).toContain('Environment  staging\n     Report')
})

test.each([
  ['', [], true],
  ['', ['--no-color'], false],
  ['1', [], false],
])('with NO_COLOR=%s and %j a terminal that shows colours gets them: %s', (value, args, isColoured) => {
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('NO_COLOR', value)
  onTestFinished(() => void vi.restoreAllMocks())
  vi.spyOn(process, 'argv', 'get').mockReturnValue(['node', 'vitest', ...args])
  expect(print('default', {}, { hasColors: () => true }).includes('\u001b')).toBe(isColoured)
  expect(print('default')).toMatch(/^\nPerformance /)
})

const nothing = {
  summary: { requests: 0 },
  totals: { suites: 1 },
  duration_ms: 0,
  suites: [],
  slowest: [],
  recommendations: [],
} as unknown as Summary['own']

/** What the reporter prints. */
function print(reporter: string, changes: Partial<Summary> = {}, outputStream: object = {}): string {
  const printed: string[] = []
  const logger = { log: (line: string) => void printed.push(line), outputStream, getColumns: () => 80 }
  const vitest = { logger, config: { reporters: [[reporter, {}]] } } as unknown as Vitest
  const report = { status: 'failure' } as Summary['report']
  const summary = {
    report,
    own: nothing,
    ran: [],
    environment: undefined,
    directory: 'out\\reports',
    isFull: false,
  }
  printSummary(vitest, { ...summary, ...changes })
  return printed.join('\n')
}
