import { isJsonObject } from '../../json.ts'
import type { BaselineComparison, Change, PerformanceReport } from './performance-report.ts'

/** What of a report is compared. */
export type Compared = Pick<PerformanceReport, 'summary' | 'suites' | 'failed' | 'flaky'>

/** Compares this run with an earlier one: its average request times, over all and per suite (by `node_id`), and which steps failed or were flaky. */
export function compareBaseline(now: Compared, before: Compared): BaselineComparison {
  const current = new Map(now.suites.map((suite) => [suite.node_id, suite.average_request_ms]))
  const earlier = new Map(before.suites.map((suite) => [suite.node_id, suite.average_request_ms]))
  return {
    newly_failed: [...new Set(now.failed).difference(new Set(before.failed))],
    newly_flaky: [...new Set(now.flaky).difference(new Set(before.flaky))],
    ...change(before.summary.average_ms, now.summary.average_ms),
    suites: [...new Set([...current.keys(), ...earlier.keys()])]
      .filter((id) => current.get(id) ?? earlier.get(id))
      .map((id) => Object.assign({ node_id: id }, change(earlier.get(id), current.get(id)))),
  }
}

function change(before: number | undefined, now: number | undefined): Change {
  return {
    ...(before !== undefined && { before_ms: before }),
    ...(now !== undefined && { now_ms: now }),
    ...(before && now !== undefined && { change_percent: Math.round((now / before - 1) * 1000) / 10 }),
  }
}

/** Reads the text of an earlier `performance.json`; throws an error that says what is wrong with it. */
export function parseBaseline(text: string): Compared {
  const report: unknown = JSON.parse(text)
  const isReport =
    isJsonObject(report) &&
    report.version === 1 &&
    isJsonObject(report.summary) &&
    [report.failed, report.flaky].every(Array.isArray) &&
    Array.isArray(report.suites) &&
    report.suites.every((suite) => isJsonObject(suite) && typeof suite.node_id === 'string')
  if (!isReport) throw new Error('it is not a performance report of version 1')
  return report as Compared
}
