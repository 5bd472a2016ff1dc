import type { ResultStatus } from '../run/result.ts'

type Ended = { status: ResultStatus }

export function isExecuted({ status }: Ended): boolean {
  return status === 'success' || status === 'failure'
}

export function countSteps(steps: readonly Ended[]) {
  const count = (wanted: ResultStatus): number => steps.filter(({ status }) => status === wanted).length
  return {
    steps_successful: count('success'),
    steps_failed: count('failure'),
    steps_skipped: count('skipped'),
    steps_not_run: count('not_run'),
  }
}

export type StepCounts = ReturnType<typeof countSteps>

/** Percentage of executed steps that passed, to two decimals. If none was executed: 0 for a failed or unfinished whole, else 100. */
export function computeSuccessRate(
  { steps_successful: successful, steps_failed: failed }: StepCounts,
  status: ResultStatus,
): number {
  const executed = successful + failed
  if (executed === 0) return status === 'failure' || status === 'not_run' ? 0 : 100
  const rate = Math.round((successful / executed) * 10_000) / 100
  // 100 is reserved for results without any failure.
  return status === 'failure' ? Math.min(rate, 99.99) : rate
}

/** The status of a suite from those of its steps, or of a run from those of its suites; `isBroken` if it failed as a whole. */
export function decideStatus(parts: readonly Ended[], isBroken: boolean): ResultStatus {
  if (isBroken || parts.some(({ status }) => status === 'failure')) return 'failure'
  if (parts.some(({ status }) => status === 'not_run')) return 'not_run'
  return parts.every(({ status }) => status === 'skipped') ? 'skipped' : 'success'
}

export type Span = { start: number; end: number }

/** The span from the first start to the last end of some parts; without any, it starts and ends at `otherwise`. */
export function findSpan(parts: readonly Span[], otherwise: number): Span {
  const start = parts.reduce((first, part) => Math.min(first, part.start), parts[0]?.start ?? otherwise)
  return { start, end: parts.reduce((last, part) => Math.max(last, part.end), start) }
}

/** The time that at least one of the parts covers, in ms. */
export function measureCovered(parts: readonly Span[]): number {
  let covered = 0
  let last = -Infinity
  for (const { start, end } of parts.toSorted((a, b) => a.start - b.start)) {
    covered += Math.max(0, end - Math.max(start, last))
    last = Math.max(last, end)
  }
  return covered
}
