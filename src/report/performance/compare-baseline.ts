import { isJsonObject } from '../../json.ts'
import { roundMs } from '../../text/units.ts'
import type { RequestSummary } from './figures.ts'

/** What is compared of a report. */
export type Compared = {
  summary: RequestSummary
  suites: readonly { node_id: string; requests: number; average_request_ms?: number }[]
  failed: readonly string[]
  flaky: readonly string[]
}

/** Compares average request times, overall and per suite (by `node_id`), with an earlier run. Lists steps that newly failed or became flaky. */
export function compareBaseline(now: Compared, before: Compared) {
  const [current, earlier] = [averageSuites(now), averageSuites(before)]
  return {
    newly_failed: [...new Set(now.failed).difference(new Set(before.failed))],
    newly_flaky: [...new Set(now.flaky).difference(new Set(before.flaky))],
    ...change(before.summary.average_ms, now.summary.average_ms),
    suites: [...new Set(current.keys()).union(earlier)].map((node_id) =>
      Object.assign({ node_id }, change(earlier.get(node_id), current.get(node_id))),
    ),
  }
}

/** Average request time in ms of each suite that sent any, over all rows of its `each`. */
function averageSuites({ suites }: Compared): Map<string, number> {
  const timed = suites.filter(({ average_request_ms }) => average_request_ms !== undefined)
  const rows = Map.groupBy(timed, ({ node_id }) => node_id)
  return new Map(
    Array.from(rows, ([id, parts]) => {
      const requests = parts.reduce((sum, part) => sum + part.requests, 0)
      const time = parts.reduce((sum, part) => sum + part.requests * (part.average_request_ms ?? 0), 0)
      return [id, roundMs(time / requests)]
    }),
  )
}

function change(before: number | undefined, now: number | undefined) {
  return {
    ...(before !== undefined && { before_ms: before }),
    ...(now !== undefined && { now_ms: now }),
    ...(before && now !== undefined && { change_percent: Math.round((now / before - 1) * 1000) / 10 }),
  }
}

/** Parses an earlier `performance.json`; throws an error that says what is wrong with it. */
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
  return report as unknown as Compared
}
