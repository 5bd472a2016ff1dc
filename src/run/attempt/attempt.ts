import type { AssertionResult } from '../../assertion/check.ts'
import type { ResponseContext } from '../../assertion/check-context.ts'
import { warnAt, type ResultWarning } from '../../errors.ts'
import type { Scope } from '../../interpolation/variables/scope.ts'
import type { JsonObject } from '../../json.ts'
import type { Branch } from '../../scenario/scenario.ts'
import type { Position } from '../../source.ts'
import type { StepPlan } from '../../suite/plan/plan.ts'
import type { StepResult } from '../result.ts'
import type {
  CompareSnapshot,
  Findings,
  PendingSnapshot,
  SentExchange,
  SkipDecision,
  StepFailure,
} from '../step-outcome.ts'
import type { SuiteRun } from '../suite-run.ts'

/** What a step may have beside its plan. */
export type StepContext = {
  /** Aborts the request and every wait; its reason becomes the step's failure. */
  signal?: AbortSignal | undefined
  /** Variables of an `iterate` loop. */
  loop?: JsonObject | undefined
  /** What is wrong with the list of its loop, to be told with its first iteration. */
  loopWarnings?: readonly ResultWarning[] | undefined
  /** Does what a `call` says, in place of a request. */
  call?: ((attempt: StepAttempt) => Promise<void>) | undefined
  /** Begins to watch what the application does while the step runs. */
  watch?: ((running: RunningStep) => StepWatch) | undefined
  /** Compares snapshots; without it they are left to the caller. */
  compareSnapshot?: CompareSnapshot | undefined
}

/** What watches the application while a step runs: its mocks, and the errors that nobody handles. */
export type StepWatch = {
  /** Aborted when there is nothing left to wait for. */
  signal?: AbortSignal | undefined
  /** Waits for what is still under way, and tells what was found. */
  end(): Promise<Findings>
  close(): void
}

/** One run of a step, or of one iteration of it: what it works with. */
export type RunningStep = StepContext & {
  run: SuiteRun
  step: StepPlan
  scope: Scope
  /** The step's own variables. */
  local?: JsonObject | undefined
}

/** One attempt of a step: what it works with, and what has come of it. */
export type StepAttempt = RunningStep & {
  failures: StepFailure[]
  rows: AssertionResult[]
  snapshots: PendingSnapshot[]
  captured: JsonObject
  warnings: ResultWarning[]
  details: Partial<StepResult>
  response?: ResponseContext | undefined
  /** The answer its checks were made on, and the branches of scenarios that were taken for it. */
  judged?: { response: ResponseContext; branches: readonly Branch[] }
  /** What a called suite gave back, as `<node_id>.<name>`. */
  called: JsonObject
  /** What was sent and answered, for the report. */
  exchange?: SentExchange
  /** Why nothing ran of what a `call` is about: then its step has not passed either. */
  skipped?: SkipDecision
  /** True when another attempt could only fail in the same way, since nothing was sent. */
  isFinal?: boolean
}

/** An attempt that has not given anything yet. */
export function createAttempt(running: RunningStep): StepAttempt {
  const [captured, called]: [JsonObject, JsonObject] = [Object.create(null), Object.create(null)]
  return { ...running, failures: [], rows: [], snapshots: [], captured, called, warnings: [], details: {} }
}

/** Notes that there is no whole answer, and why. */
export function failRequest({ step, failures }: StepAttempt, message: string, at: Position = step.at): void {
  failures.push({ kind: 'request', message, at })
}

/** Notes what the author should know although nothing failed. */
export function warn({ warnings }: Pick<StepAttempt, 'warnings'>, at: Position, message: string): void {
  warnings.push(warnAt(at, message))
}

/** Why a run is stopped before its end; a step that was under way then fails, or is skipped as if it had never started. */
export class RunStopped extends Error {
  readonly skips: boolean

  constructor(message: string, { skips }: { skips: boolean }) {
    super(message)
    this.skips = skips
  }
}
