import type { PerformanceReport, ThresholdResult } from './performance-report.ts'

type Metric = 'average' | 'median' | 'p95' | 'p99' | 'slowest' | 'success_rate' | 'requests_per_second'

/** Limits that fail the run: upper limits in ms; lower ones for the percentage of successful steps and the rate of requests. */
export type Thresholds = Partial<Record<Metric, number>>

type Measured = Pick<PerformanceReport, 'summary' | 'totals'>

const metrics: Record<Metric, (report: Measured) => number | undefined> = {
  average: ({ summary }) => summary.average_ms,
  median: ({ summary }) => summary.median_ms,
  p95: ({ summary }) => summary.p95_ms,
  p99: ({ summary }) => summary.p99_ms,
  slowest: ({ summary }) => summary.slowest_ms,
  success_rate: ({ totals }) => totals.success_rate,
  requests_per_second: ({ summary }) => summary.requests_per_second,
}

/** Names of the figures that can have a limit. */
export const metricNames: readonly string[] = Object.keys(metrics)

/** Those that have a lower limit, with their units. */
const lower: Partial<Record<string, string>> = { success_rate: ' %', requests_per_second: '/s' }

/** Compares figures with their limits. A figure that could not be measured (no request was sent) does not pass. */
export function checkThresholds(report: Measured, thresholds: Thresholds): ThresholdResult[] {
  return Object.entries(thresholds).map(([metric, limit]) => {
    const actual = metrics[metric as Metric](report)
    if (actual === undefined) return { metric, limit, passed: false }
    return { metric, limit, actual, passed: lower[metric] ? actual >= limit : actual <= limit }
  })
}

/** Says how a figure compares with its limit: `p95 is 159 ms, the limit is 100 ms`. */
export function describeThreshold({ metric, limit, actual }: ThresholdResult): string {
  const unit = lower[metric] ?? ' ms'
  const got =
    actual === undefined ? 'could not be measured, because no request was sent' : `is ${actual}${unit}`
  return `\`${metric}\` ${got}; ${lower[metric] ? 'the least allowed' : 'the limit'} is ${limit}${unit}`
}

/** What to do about a limit that is not kept. */
export function adviseThreshold({ metric, actual }: ThresholdResult): string {
  const option = `\`report.thresholds.${metric}\``
  if (actual === undefined) return `Run suites that send requests, or remove ${option}.`
  if (lower[metric]) return `Look at the steps that failed or were slow, or lower ${option}.`
  return `Look at the slowest requests, or raise ${option}.`
}
