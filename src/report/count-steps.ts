import type { ResultStatus, SuiteResult } from '../run/result.ts'

type Ended = { status: ResultStatus }

/** True for a step that ran to its end. */
export function isExecuted({ status }: Ended): boolean {
  return status === 'success' || status === 'failure'
}

/** Counts steps by their outcome. */
export function countSteps(steps: readonly Ended[]): StepCounts {
  const count = (wanted: ResultStatus): number => steps.filter(({ status }) => status === wanted).length
  return {
    steps_successful: count('success'),
    steps_failed: count('failure'),
    steps_skipped: count('skipped'),
    steps_not_run: count('not_run'),
  }
}

/** How many steps had each outcome. */
export type StepCounts = Pick<
  SuiteResult,
  'steps_successful' | 'steps_failed' | 'steps_skipped' | 'steps_not_run'
>

/** Percentage of successful among executed steps, two decimals. Nothing failed is 100, unless nothing ran in what is not green either: that is 0. */
export function computeSuccessRate(
  { steps_successful: successful, steps_failed: failed }: StepCounts,
  status: ResultStatus,
): number {
  const executed = successful + failed
  if (executed === 0) return status === 'failure' || status === 'not_run' ? 0 : 100
  const rate = Math.round((successful / executed) * 10_000) / 100
  // 100 means that nothing failed.
  return failed > 0 ? Math.min(rate, 99.99) : rate
}

/** The outcome of a suite by those of its steps, of a run by those of its suites; `isBroken` when it failed as a whole. */
export function decideStatus(parts: readonly Ended[], isBroken: boolean): ResultStatus {
  if (isBroken || parts.some(({ status }) => status === 'failure')) return 'failure'
  if (parts.some(({ status }) => status === 'not_run')) return 'not_run'
  return parts.every(({ status }) => status === 'skipped') ? 'skipped' : 'success'
}

/** Start and end of a whole, in ms. */
export type Span = { start: number; end: number }

/** The time from the first start of some parts to the last end; without any it is the moment `otherwise`. */
export function findSpan(parts: readonly Span[], otherwise: number): Span {
  const start = parts.reduce((first, part) => Math.min(first, part.start), parts[0]?.start ?? otherwise)
  return { start, end: parts.reduce((last, part) => Math.max(last, part.end), start) }
}
