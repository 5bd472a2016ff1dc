import { isJsonObject } from '../../json.ts'
import type { BaselineComparison, PerformanceReport, Change } from './performance-report.ts'

type Compared = Pick<PerformanceReport, 'summary' | 'suites'> &
  // Reports of earlier versions have no ids.
  Partial<Pick<PerformanceReport, 'failed' | 'flaky'>>

/** Compares the average request times of this run with those of an earlier one, over all and per suite (by `node_id`). */
export function compareBaseline(now: Compared, before: Compared): BaselineComparison {
  const earlier = new Map(before.suites.map((suite) => [suite.node_id, suite.average_request_ms]))
  const current = new Map(now.suites.map((suite) => [suite.node_id, suite.average_request_ms]))
  const ids = new Set(
    [...current.keys(), ...earlier.keys()].filter((id) => current.get(id) ?? earlier.get(id)),
  )
  return {
    ...compareOutcomes(now, before),
    ...change(before.summary.average_ms, now.summary.average_ms),
    suites: [...ids].map((id) => Object.assign({ node_id: id }, change(earlier.get(id), current.get(id)))),
  }
}

function compareOutcomes(
  now: Compared,
  before: Compared,
): Pick<BaselineComparison, 'newly_failed' | 'newly_flaky'> {
  if (!now.failed || !before.failed) return {}
  const [failed, flaky] = [new Set(before.failed), new Set(before.flaky)]
  return {
    newly_failed: now.failed.filter((id) => !failed.has(id)),
    newly_flaky: (now.flaky ?? []).filter((id) => !flaky.has(id)),
  }
}

function change(before: number | undefined, now: number | undefined): Change {
  return {
    ...(before === undefined ? {} : { before_ms: before }),
    ...(now === undefined ? {} : { now_ms: now }),
    ...(before !== undefined && now !== undefined && before > 0
      ? { change_percent: Math.round((now / before - 1) * 1000) / 10 }
      : {}),
  }
}

/** Reads the text of an earlier `performance.json`; throws an error that says what is wrong with it. */
export function parseBaseline(text: string): Compared {
  const report: unknown = JSON.parse(text)
  const isReport =
    isJsonObject(report) &&
    report.version === 1 &&
    isJsonObject(report.summary) &&
    Array.isArray(report.suites) &&
    report.suites.every((suite) => isJsonObject(suite) && typeof suite.node_id === 'string')
  if (!isReport) throw new Error('it is not a performance report of version 1')
  return report as Compared
}
