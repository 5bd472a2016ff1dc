import type { PerformanceReport, ThresholdResult } from './performance-report.ts'

/** Limits that fail the run: upper limits in ms, or lower limits for the last two. */
export type Thresholds = {
  average?: number
  median?: number
  p95?: number
  p99?: number
  slowest?: number
  /** Lowest share of successful steps in percent. */
  success_rate?: number
  /** Lowest rate of requests. */
  requests_per_second?: number
}

type Measured = Pick<PerformanceReport, 'summary' | 'totals'>

const metrics: Record<keyof Thresholds, (report: Measured) => number | undefined> = {
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

const lowerLimits = new Set<string>(['success_rate', 'requests_per_second'])

/** Compares figures with their limits. A figure that could not be measured (no request was sent) does not pass. */
export function checkThresholds(report: Measured, thresholds: Thresholds): ThresholdResult[] {
  return Object.entries(thresholds).map(([metric, limit]) => {
    const actual = metrics[metric as keyof Thresholds](report)
    if (actual === undefined) return { metric, limit, passed: false }
    return { metric, limit, actual, passed: lowerLimits.has(metric) ? actual >= limit : actual <= limit }
  })
}

/** Says how a figure compares with its limit: `p95 is 159 ms, the limit is 100 ms`. */
export function describeThreshold({ metric, limit, actual }: ThresholdResult): string {
  const got =
    actual === undefined ? 'could not be measured, because no request was sent' : `is ${show(metric, actual)}`
  const kind = lowerLimits.has(metric) ? 'the least allowed' : 'the limit'
  return `\`${metric}\` ${got}; ${kind} is ${show(metric, limit)}`
}

/** What to do about a limit that is not kept. */
export function adviseThreshold({ metric, actual }: ThresholdResult): string {
  const option = `\`report.thresholds.${metric}\``
  if (actual === undefined) return `Run suites that send requests, or remove ${option}.`
  if (metric === 'success_rate') return `Mend the failed steps, or lower ${option}.`
  if (metric === 'requests_per_second') return `Look at the slowest requests, or lower ${option}.`
  return `Look at the slowest requests, or raise ${option}.`
}

function show(metric: string, value: number): string {
  if (metric === 'success_rate') return `${value} %`
  return metric === 'requests_per_second' ? `${value}/s` : `${value} ms`
}
