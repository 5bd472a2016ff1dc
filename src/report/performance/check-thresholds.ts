import { readMilliseconds } from '../../text/units.ts'
import type { PerformanceReport, ThresholdResult } from './performance-report.ts'

/** Request times in ms, with upper limits. */
export const times = ['average', 'median', 'p95', 'p99', 'slowest'] as const

/** Figures with lower limits, and their units. */
const rates = { success_rate: ' %', requests_per_second: '/s' } as const

/** Figures that are no times, and their units. */
const units = { ...rates, steps_flaky: '' } as const

/** Limits that fail the run. */
export type Thresholds = Partial<
  Record<(typeof times)[number], number | string> & Record<keyof typeof units, number>
>

/** Compares figures with their limits. A figure that could not be measured (no request was sent) fails. */
export function checkThresholds(
  { summary, totals }: Pick<PerformanceReport, 'summary' | 'totals'>,
  thresholds: Thresholds,
): ThresholdResult[] {
  const { success_rate, steps_successful, steps_failed, steps_flaky } = totals
  const rate = steps_successful + steps_failed > 0 && { success_rate }
  const figures: Record<string, number> = { ...summary, ...rate, steps_flaky }
  return Object.entries(thresholds).map(([metric, written]) => {
    const limit = readMilliseconds(written)
    const actual = figures[metric] ?? figures[`${metric}_ms`]
    if (actual === undefined) return { metric, limit, passed: false }
    return { metric, limit, actual, passed: metric in rates ? actual >= limit : actual <= limit }
  })
}

/** Describes a figure and its limit: `p95 is 159 ms; the limit is 100 ms`. */
export function describeThreshold({ metric, limit, actual }: ThresholdResult): string {
  const unit = metric in units ? units[metric as keyof typeof units] : ' ms'
  const got =
    actual === undefined ? 'could not be measured, because no request was sent' : `is ${actual}${unit}`
  return `\`${metric}\` ${got}; ${metric in rates ? 'the least allowed' : 'the limit'} is ${limit}${unit}`
}

/** What to do about a missed limit. */
export function adviseThreshold({ metric, actual }: ThresholdResult): string {
  const option = `\`report.thresholds.${metric}\``
  if (actual === undefined) return `Run suites that send requests, or remove ${option}.`
  if (metric in rates) return `Look at the steps that failed or were slow, or lower ${option}.`
  return `Look at the ${metric === 'steps_flaky' ? 'flaky steps' : 'slowest requests'}, or raise ${option}.`
}
