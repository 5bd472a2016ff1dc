import type { AssertionResult } from '../../assertion/check.ts'
import type { ResponseContext } from '../../assertion/check-context.ts'
import type { JsonObject } from '../../json.ts'
import type { ResultWarning } from '../../errors.ts'
import type { Exchange, RequestSpec } from '../../request/exchange.ts'
import type { RequestClient } from '../../request/send-request.ts'
import type { Position } from '../../source.ts'
import type { StepPlan } from '../../suite/plan/plan.ts'
import type { StepResult } from '../result.ts'
import type {
  CompareSnapshot,
  Findings,
  PendingSnapshot,
  SentExchange,
  StepFailure,
} from '../step-outcome.ts'
import type { SuiteRun } from '../suite-run.ts'

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
  /** What was sent and answered, for the report. */
  exchange?: SentExchange
  /** Why nothing ran of what a `call` is about, `wanted` by its own `skip`: then its step has not passed either. */
  skipped?: { reason: string; wanted: boolean }
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

/** Why a run is stopped before its end; a step that was under way then fails, or is skipped as if it had never started. */
export class RunStopped extends Error {
  readonly skips: boolean

  constructor(message: string, { skips }: { skips: boolean }) {
    super(message)
    this.skips = skips
  }
}

/** One attempt of a step: what it works with, and what takes what comes of it. */
export type StepAttempt = { run: SuiteRun; step: StepPlan; context: StepContext; outcome: AttemptOutcome }

/** Notes that there is no whole answer, and why. */
export function failRequest(
  { step, outcome }: Pick<StepAttempt, 'step' | 'outcome'>,
  message: string,
  at: Position = step.at,
): void {
  outcome.failures.push({ kind: 'request', message, at })
}

/** A request that can be sent, and what notes what was sent and answered, and gives what checks look at. */
export type PreparedStep = {
  spec: RequestSpec
  options: Parameters<RequestClient['send']>[1]
  describe: (exchange: Exchange) => ResponseContext | undefined
}

/** How one step is run. */
export type StepContext = {
  /** Aborts the request and every wait; its reason becomes the step's failure. */
  signal?: AbortSignal | undefined
  /** Variables of an `iterate` loop. */
  loop?: JsonObject | undefined
  /** Does what a `call` says, in place of a request. */
  call?: () => Promise<AttemptOutcome>
  /** Holds something around the attempts of the step, such as its mocks, and tells what that found; the signal stops them. */
  surround?: <Value>(
    run: (stop?: AbortSignal) => Promise<Value>,
  ) => Promise<{ value: Value; findings: Findings }>
  /** Compares snapshots; without it they are left to the caller. */
  compareSnapshot?: CompareSnapshot | undefined
}
