import type { ResponseContext } from '../assertion/check-context.ts'
import type { Json } from '../json.ts'
import type { Exchange } from '../request/exchange.ts'
import type { MockCall } from '../mock/mock.ts'
import { readMessage, type ResultWarning } from '../errors.ts'
import type { Position } from '../source.ts'
import type { StepPlan } from '../suite/plan/plan.ts'
import type { StepResult } from './result.ts'

/** Something that failed a step, with its place in the suite file. */
export type StepFailure = {
  /** The request could not be made or had no answer, or the step was stopped: an interrupt, or a limit on the suite's time. */
  kind?: 'request' | 'stopped'
  message: string
  at: Position
  /** The checked field, or the capture. */
  about?: string
  /** There was nothing to check or capture. */
  unmade?: boolean
  /** The first missing part of the path that was looked for. */
  gap?: string | undefined
  /** Values whose structural diff shows the failure. */
  diff?: { expected: Json; actual: Json | undefined } | undefined
}

/** Whether a step runs: a reason to skip it (`wanted` by its own `skip` or its suite's), or why that cannot be told; `warnings` say what may have been decided by accident. */
export type SkipDecision = {
  reason?: string
  wanted?: boolean
  failure?: StepFailure
  warnings?: ResultWarning[]
}

/** A snapshot check whose value only a test framework can compare; until then its row counts as passed. */
export type PendingSnapshot = {
  name?: string
  /** The checked field, as its row names it. */
  field: string
  value: Json
  at: Position
  /** Index of its row in `assertions_results`. */
  row: number
}

/** What was found around a step: by the mocks of its upstream services, and as errors that nobody handled. */
export type Findings = {
  /** What the application missed of its mocks: told first, since the other checks saw its effects. */
  mocks: StepFailure[]
  calls: MockCall[]
  /** Errors the application threw into the void. */
  late: StepFailure[]
  warnings: ResultWarning[]
}

/** Compares one snapshot; returns how it differs, or undefined. */
export type CompareSnapshot = (snapshot: PendingSnapshot) => Pick<StepFailure, 'message' | 'diff'> | undefined

/** What was sent and answered, as it was on the wire. */
export type SentExchange = Pick<Exchange, 'request' | 'response'> & {
  /** Path of the file that the request's body was read from, relative to where the command is run. */
  file?: string
}

/** What running a step gave: its result, not yet redacted, and what failed it. */
export type StepOutcome = {
  result: StepResult
  failures: StepFailure[]
  /** It was skipped because the author wants it. */
  isLeftOut?: true
  exchange?: SentExchange | undefined
  /** The same of the attempts whose details the result has, by their number. */
  earlier?: ReadonlyMap<number, SentExchange>
  /** Snapshots that are still to be compared. */
  snapshots?: PendingSnapshot[]
  /** What the last request was answered, for a step that calls this one. */
  response?: ResponseContext | undefined
}

/** The failure of a step that was stopped before its end, with the reason. */
export function describeStop({ at }: Pick<StepPlan, 'at'>, { reason }: AbortSignal): StepFailure {
  return { kind: 'stopped', message: `The step was stopped: ${readMessage(reason)}`, at }
}
