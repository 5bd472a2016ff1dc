import type { RequestFailure } from '../../request/exchange.ts'
import type { AssertionResult } from '../../assertion/check.ts'
import type { ResponseContext } from '../../assertion/check-context.ts'
import { warnAt, type ResultWarning } from '../../errors.ts'
import type { MockCall } from '../../mock/mock.ts'
import type { Scope } from '../../interpolation/variables/scope.ts'
import { stringifyJson, type JsonObject } from '../../json.ts'
import type { RequestInput } from '../../request/build/request-input.ts'
import type { Branch } from '../../scenario/scenario.ts'
import type { Position } from '../../source.ts'
import type { StepPlan, TriggerPlan } from '../../suite/plan/plan.ts'
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

/** What secrets are learnt from: a result as far as it is known, or the filled in request. */
export type SeenPart = Partial<StepResult> & { filled?: RequestInput }

/** What running a step may use besides its plan. */
export type StepContext = {
  /** Aborts the request and every wait; its reason becomes the step's failure. */
  signal?: AbortSignal | undefined
  /** Variables of an `iterate` loop. */
  loop?: JsonObject | undefined
  /** Warnings about the list of its loop, reported with the first iteration. */
  loopWarnings?: readonly ResultWarning[] | undefined
  /** Learns secrets before the step has its result. */
  learn?: ((seen: SeenPart) => void) | undefined
  /** Performs a `call`, in place of a request. */
  call?: ((attempt: StepAttempt) => Promise<void>) | undefined
  watch?: ((running: RunningStep) => StepWatch) | undefined
  /** Without it, the caller has to compare snapshots. */
  compareSnapshot?: CompareSnapshot | undefined
}

/** Watches the application while a step runs: its mocks, and unhandled errors. */
export type StepWatch = {
  /** Aborted when waiting has become pointless. */
  signal?: AbortSignal | undefined
  /** Resolves to the calls of the application so far. Undefined without mocks. */
  listCalls?: (() => Promise<MockCall[]>) | undefined
  /** Waits for calls in progress and returns what was found. */
  end(): Promise<Findings>
  close(): void
}

/** A step, or one of its iterations, that runs. */
export type RunningStep = StepContext & {
  run: SuiteRun
  step: StepPlan
  scope: Scope
  /** The step's own variables. */
  local?: JsonObject | undefined
  listCalls?: StepWatch['listCalls']
  /** Set while its trigger is sent in place of its own request. */
  trigger?: TriggerPlan | undefined
}

/** One attempt of a step: what it works with, and its results so far. */
export type StepAttempt = RunningStep & {
  failures: StepFailure[]
  rows: AssertionResult[]
  snapshots: PendingSnapshot[]
  captured: JsonObject
  warnings: ResultWarning[]
  details: Partial<StepResult>
  response?: ResponseContext | undefined
  /** The response that was judged, and the scenario branches taken for it. */
  judged?: { response: ResponseContext; branches: readonly Branch[] }
  /** What a called suite returned, as `<node_id>.<name>`. */
  called: JsonObject
  exchange?: SentExchange
  /** True if a called step passed, but not at the first attempt. */
  isFlaky?: boolean | undefined
  /** Why nothing of a `call` ran. Its step then counts as skipped, not as passed. */
  skipped?: SkipDecision
  /** True if nothing was sent, so that another attempt could only fail in the same way. */
  isFinal?: boolean
}

export function createAttempt(running: RunningStep): StepAttempt {
  const [captured, called]: [JsonObject, JsonObject] = [Object.create(null), Object.create(null)]
  return { ...running, failures: [], rows: [], snapshots: [], captured, called, warnings: [], details: {} }
}

/** Returns a function that takes back what is added to an attempt from now on. */
export function markAttempt(attempt: StepAttempt): () => void {
  const { failures, rows, snapshots, warnings, captured, details } = attempt
  const lists = [failures, rows, snapshots, warnings].map((list) => ({ list, length: list.length }))
  const before = { ...captured }
  const { scenarios_meta } = details
  return () => {
    for (const { list, length } of lists) list.length = length
    for (const name of Object.keys(captured)) delete captured[name]
    Object.assign(captured, before)
    Object.assign(attempt, { failures })
    if (scenarios_meta) details.scenarios_meta = scenarios_meta
    else delete details.scenarios_meta
  }
}

/** Records that there is no complete response, and why. */
export function failRequest(
  { step, failures }: StepAttempt,
  why: string | RequestFailure,
  at: Position = step.at,
): void {
  const { message, common } = typeof why === 'string' ? { message: why } : why
  failures.push({ kind: 'request', message, common, at })
}

export function warn({ warnings }: Pick<StepAttempt, 'warnings'>, at: Position, message: string): void {
  warnings.push(warnAt(at, message))
}

/** True if the checks, captures, scenarios or `retry` of a step mention a field of its response. */
export function mentions({ run, step }: RunningStep, field: string): boolean {
  const { checks, captures, scenarios, retry = run.environment.settings.retry } = step
  return stringifyJson([checks, captures, scenarios, retry]).includes(field)
}

/** Why a run is stopped early. With `skips`, a step in progress counts as not run; otherwise it fails. */
export class RunStopped extends Error {
  readonly skips: boolean

  constructor(message: string, { skips }: { skips: boolean }) {
    super(message)
    this.skips = skips
  }
}
