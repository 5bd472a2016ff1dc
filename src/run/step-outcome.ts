import type { ResponseContext } from '../assertion/response-context.ts'
import type { Json } from '../json.ts'
import type { Position } from '../source.ts'
import type { StepResult } from './result.ts'

/** Something that failed a step, with its place in the suite file. */
export type StepFailure = {
  kind:
    | 'assertion'
    | 'capture'
    | 'request'
    | 'interpolation'
    | 'scenario'
    | 'call'
    | 'mock'
    | 'variable'
    | 'app'
    | 'retry'
    /** The step was stopped: an interrupt, or a limit on the suite's time. */
    | 'stopped'
  message: string
  at: Position
  /** Values whose structural diff shows the failure. */
  diff?: { expected: Json; actual: Json | undefined }
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

/** What running a step gave: its result, not yet redacted, and what failed it. */
export type StepOutcome = {
  result: StepResult
  failures: StepFailure[]
  /** Snapshots that are still to be compared. */
  snapshots?: PendingSnapshot[]
  /** What the last request was answered, for a step that calls this one. */
  response?: ResponseContext
}
