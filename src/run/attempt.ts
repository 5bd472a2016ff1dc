import type { AssertionResult } from '../assertion/check.ts'
import type { ResponseContext } from '../assertion/response-context.ts'
import type { JsonObject } from '../json.ts'
import type { ResultWarning } from '../problem.ts'
import type { StepResult } from './result.ts'
import type { PendingSnapshot, StepFailure } from './step-outcome.ts'

/** What one attempt of a step gave. */
export type AttemptOutcome = {
  failures: StepFailure[]
  rows: AssertionResult[]
  snapshots: PendingSnapshot[]
  captured: JsonObject
  /** What a called suite gave back: node id → values. */
  exports?: Record<string, JsonObject>
  warnings: ResultWarning[]
  response?: ResponseContext
  details: Partial<StepResult>
  /** True when another attempt could only fail in the same way, since nothing was sent. */
  final?: boolean
}

/** An attempt that has not given anything yet. */
export function createAttempt(): AttemptOutcome {
  return {
    failures: [],
    rows: [],
    snapshots: [],
    captured: Object.create(null),
    warnings: [],
    details: {},
  }
}

/** How one step is run. */
export type StepContext = {
  /** Aborts the request and every wait; its reason becomes the step's failure. */
  signal?: AbortSignal
  /** Variables of an `iterate` loop. */
  loop?: JsonObject
  /** Does what a `call` says, in place of a request. */
  call?: () => Promise<AttemptOutcome>
}
