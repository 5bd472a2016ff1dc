import { readMilliseconds } from '../../text/units.ts'
import type { RequestSummary } from './figures.ts'

/** Request times in ms that may have limits. */
export const times = ['average', 'median', 'p95', 'p99', 'slowest'] as const

export type Thresholds = Partial<Record<(typeof times)[number], number | string> & { steps_flaky: number }>

/** Compares figures with their limits. A figure that could not be measured (no request was sent) fails. */
export function checkThresholds(
  { summary, totals }: { summary: RequestSummary; totals: { steps_flaky: number } },
  thresholds: Thresholds,
) {
  const figures: Record<string, number> = { ...summary, steps_flaky: totals.steps_flaky }
  return Object.entries(thresholds).map(([metric, written]) => {
    const limit = readMilliseconds(written)
    const actual = figures[metric] ?? figures[`${metric}_ms`]
    if (actual === undefined) return { metric, limit, passed: false }
    return { metric, limit, actual, passed: actual <= limit }
  })
}

/** Describes a figure and its limit: `p95 is 159 ms; report.thresholds.p95 allows 100 ms`. */
export function describeThreshold({
  metric,
  limit,
  actual,
}: ReturnType<typeof checkThresholds>[number]): string {
  const unit = metric === 'steps_flaky' ? '' : ' ms'
  const got =
    actual === undefined ? 'could not be measured, because no request was sent' : `is ${actual}${unit}`
  return `\`${metric}\` ${got}; \`report.thresholds.${metric}\` allows ${limit}${unit}`
}
