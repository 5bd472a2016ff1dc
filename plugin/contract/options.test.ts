import { expect, test } from 'vitest'
import { resolveOptions, type Options } from './options.ts'

test.each([
  [{ limits: { suite: 99_999_999_999 } }, 'limits.suite', '99999999999'],
  [{ limits: { blocked: 0 } }, 'limits.blocked', '0'],
  [{ timeout: 0 }, 'timeout', '0'],
  [{ retry: { max_attempts: 2, on: [7] } }, 'retry.on', '7'],
  [{ tiemout: 5 }, 'tiemout', 'timeout'],
  [{ report: { thresholds: { p59: 1 } } }, 'p59', 'p95'],
  [{ report: { thresholds: { p95: '1' } } }, 'report.thresholds.p95', '`"1"` \\(string\\)'],
  [{ report: { thresholds: { p95: -1 } } }, 'report.thresholds.p95', '0 or more'],
  [{ report: { thresholds: { p95: Infinity } } }, 'report.thresholds.p95', 'finite'],
  [{ report: { thresholds: { toString: 1 } } }, 'toString', 'Known here: average, median, p95'],
  [{ report: { thresholds: [] } }, 'report.thresholds', 'a map'],
])('%j is refused, with the option and what it got', (options, name, got) => {
  expect(() => resolveOptions(options as Options)).toThrow(
    expect.objectContaining({ message: expect.stringMatching(new RegExp(`${name}.*${got}`, 's')) as string }),
  )
})

test.each([503, '5xx', [429, '5xx'], 'body.busy'])('`retry.on` may be %j', (on) => {
  expect(resolveOptions({ retry: { max_attempts: 2, on } }).retry).toEqual({ max_attempts: 2, on })
})
