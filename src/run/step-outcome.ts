import type { ResponseContext } from '../assertion/check-context.ts'
import type { Json } from '../json.ts'
import type { Exchange } from '../request/exchange.ts'
import type { MockReport } from '../mock/mock.ts'
import { readMessage, type PlacedMessage, type ResultWarning } from '../errors.ts'
import type { Position } from '../source.ts'
import type { StepPlan } from '../suite/plan/plan.ts'
import type { StepResult } from './result.ts'

/** A failure of a step, with its position in the suite file. */
export type StepFailure = PlacedMessage & {
  /** `request`: it could not be made or got no response. `stopped`: by an interrupt or the suite's time limit. */
  kind?: 'request' | 'stopped'
  /** The words shared by all failures of requests that could not be sent for the same reason. */
  common?: string | undefined
  /** What was checked: the name of the field, or the capture in words. */
  about?: string
  /** The name of its row: what was checked, and mostly the operator. */
  row?: string
  /** True if the value to check or capture was missing. */
  unmade?: boolean
  /** True if it is about the response itself, all of which may differ if the status does. */
  isOfResponse?: boolean
  /** The cause it may share with others: a missing part, a wrong type or an unreadable document. */
  gap?: string | undefined
  /** Values to show as a structural diff. */
  diff?: { expected: Json; actual: Json | undefined } | undefined
}

/** Why a step does not run: a reason to skip it (`wanted` by its author; `isStopped` with the run), or why that could not be decided. */
export type SkipDecision = {
  reason?: string
  wanted?: boolean
  isStopped?: boolean
  failure?: StepFailure
  warnings?: ResultWarning[]
}

/** A snapshot check, which only a test framework can compare; until then its row counts as passed. */
export type PendingSnapshot = {
  name?: string
  /** The field that was checked, as named in its row. */
  field: string
  value: Json
  at: Position
  /** Index of its row in `assertions_results`. */
  row: number
}

/** What was found besides a step's own checks: by its mocks, and as unhandled errors of the application. */
export type Findings = MockReport & { late: StepFailure[] }

/**
 * Compares a snapshot; returns the difference, or undefined. If the step `hasFailed` otherwise, writes none:
 * `isEffect` if it would have.
 */
export type CompareSnapshot = (
  snapshot: PendingSnapshot,
  hasFailed: boolean,
) => (Pick<StepFailure, 'message' | 'diff'> & { isEffect?: true }) | undefined

export type SentExchange = Pick<Exchange, 'request' | 'response'> & {
  /** Path of the file the request's body was read from, relative to where the command is run. */
  file?: string
}

/** The result of a step, not yet redacted, and its failures. */
export type StepOutcome = {
  result: StepResult
  failures: StepFailure[]
  /** True if it was skipped because its author wants that. */
  isLeftOut?: true
  exchange?: SentExchange | undefined
  /** The exchanges of earlier attempts that the result shows in detail, by attempt number. */
  earlier?: ReadonlyMap<number, SentExchange>
  /** Snapshots still to be compared. */
  snapshots?: PendingSnapshot[]
  /** The response to the last request, for a step that calls this one. */
  response?: ResponseContext | undefined
}

/** The failure of a step that was stopped, with the signal's reason. */
export function describeStop({ at }: Pick<StepPlan, 'at'>, { reason }: AbortSignal): StepFailure {
  return { kind: 'stopped', message: `The step was stopped: ${readMessage(reason)}`, at }
}
