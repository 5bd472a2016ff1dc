import type { JsonObject } from '../../../src/json.ts'
import type { AttemptOutcome, StepContext } from '../../../src/run/attempt/attempt.ts'
import { decideSkip } from '../../../src/run/decide-skip.ts'
import { listLoops } from '../../../src/run/loops.ts'
import { describeStep, rememberState, restoreState } from '../../../src/run/record-outcome.ts'
import { failStep, runStep, skipStep } from '../../../src/run/run-step.ts'
import type { Findings, StepOutcome } from '../../../src/run/step-outcome.ts'
import type { SuiteRun } from '../../../src/run/suite-run.ts'
import { trace } from '../../../src/request/trace.ts'
import type { StepPlan } from '../../../src/suite/plan/plan.ts'
import { watchLateErrors } from '../app/late-errors.ts'
import type { Clock } from './clock.ts'
import type { SessionContext } from './session-interface.ts'
import type { StepRecords } from './step-records.ts'
import type { SuiteMocks } from './suite-mocks.ts'

/** Aborts its signal after some ms, with an error that says which limit it was. */
type TimeLimit = { signal: AbortSignal; end(): void }

/** ms that a teardown may take after an interrupt, which must leave time for the reports, and after the limit of the suite. */
const [AFTER_INTERRUPT, AFTER_LIMIT] = [3000, 10_000]

/** Runs a step with `call`. */
type CallSuite = (step: StepPlan, context: StepContext) => Promise<AttemptOutcome>

type Surrounded<Value> = {
  step: StepPlan
  loop: JsonObject | undefined
  attempt: (stop?: AbortSignal) => Promise<Value>
}

type RunnerInput = {
  run: SuiteRun
  records: StepRecords
  call: CallSuite
  /** The time of the suite, if it has one of its own. */
  clock: Clock | undefined
  mocks: SuiteMocks | undefined
}

/** Runs the steps of one suite within its time limit, mocks and clock; what came of them goes to its records. */
export class StepRunner {
  /** True once a step was aborted from outside. */
  isInterrupted = false
  readonly #input: RunnerInput
  #limit: TimeLimit
  #isGranted = false

  constructor(input: RunnerInput) {
    this.#input = input
    const { suiteLimit: ms } = input.run.environment.settings
    const advice = 'Raise the option `limits.suite`, or make two suites of it.'
    this.#limit = startTimeLimit(ms, `the suite took longer than ${ms} ms. ${advice}`)
  }

  /** Ends the limit. */
  close(): void {
    this.#limit.end()
  }

  /** Runs a step, once for each iteration. */
  async runStep(step: StepPlan, context: SessionContext): Promise<StepOutcome[]> {
    const { run, records, clock } = this.#input
    if (step.phase === 'teardown') this.#graceTeardown()
    const limit = this.#limit.signal
    const signal = context.signal ? AbortSignal.any([context.signal, limit]) : limit
    // Run again, it starts from the state it started from before.
    const before = records.forget(step, context.loop)
    if (before) restoreState(run, step, before)
    const loops = context.loop ? [context.loop] : listLoops(run, step)
    if (!Array.isArray(loops)) {
      // There may be no list because the step that gives it failed.
      const { reason, wanted = false } = decideSkip(run, step)
      const outcome = reason
        ? skipStep(run, step, { reason, wanted })
        : failStep(run, step, { failure: loops })
      return this.#keep(step, outcome)
    }
    if (loops.length === 0)
      return this.#keep(step, skipStep(run, step, { reason: 'the list of `iterate` is empty' }))
    const outcomes: StepOutcome[] = []
    if (before) clock?.advance(-step.advance * loops.length)
    const { compareSnapshot } = context
    for (const loop of loops) {
      clock?.advance(step.advance)
      outcomes.push(await this.#runLoop(step, { signal, loop, compareSnapshot }))
    }
    if (limit.aborted)
      run.stopped ??= `the suite was stopped in ${describeStep(step)}: ${(limit.reason as Error).message}`
    this.isInterrupted ||= context.signal?.aborted === true && !limit.aborted
    return outcomes
  }

  async #runLoop(step: StepPlan, context: StepContext): Promise<StepOutcome> {
    const { run, records } = this.#input
    const { loop } = context
    const before = rememberState(run, step)
    const call = (): Promise<AttemptOutcome> => this.#input.call(step, context)
    const surround: StepContext['surround'] = (attempt) => this.#surround({ step, loop, attempt })
    const attributes = { 'suitecase.suite': run.plan.nodeId, 'suitecase.step': step.id }
    const outcome = await trace(step.name, attributes, async (span) => {
      const traced = await runStep(run, step, { ...context, surround, ...(step.call && { call }) })
      const { status, response_details } = traced.result
      span?.setAttribute('suitecase.status', status)
      // `ERROR`, without the message: values of answers stay here.
      if (status === 'failure') span?.setStatus({ code: 2 })
      if (response_details) span?.setAttribute('http.response.status_code', response_details.status_code)
      return traced
    })
    records.keep(step, { outcome, before, loop })
    return outcome
  }

  /** Runs the attempts of a step between its mocks, and takes the errors that the application throws meanwhile. */
  async #surround<Value>({ step, loop, attempt }: Surrounded<Value>): Promise<{
    value: Value
    findings: Findings
  }> {
    const { run, mocks } = this.#input
    const findings: Findings = { mocks: [], calls: [], late: [], warnings: [] }
    const mocked = (stop?: AbortSignal): Promise<Value> =>
      mocks?.around(step, { loop, findings, run: () => attempt(stop) }) ?? attempt(stop)
    if (!('app_url' in run.given)) return { value: await mocked(), findings }
    const { value, errors } = await watchLateErrors(mocked)
    findings.late = errors.map((message) => ({ message, at: step.at }))
    return { value, findings }
  }

  #keep(step: StepPlan, outcome: StepOutcome): StepOutcome[] {
    const { run, records } = this.#input
    records.keep(step, { outcome, before: rememberState(run, step), loop: undefined })
    return [outcome]
  }

  /** A suite that was interrupted or took too long still gets some seconds for its teardown, once. */
  #graceTeardown(): void {
    if (this.#isGranted || !(this.isInterrupted || this.#limit.signal.aborted)) return
    this.#isGranted = true
    this.#limit.end()
    const [why, ms] = this.isInterrupted
      ? ['an interrupt', AFTER_INTERRUPT]
      : ['the limit of the suite (option `limits.suite`)', AFTER_LIMIT]
    this.#limit = startTimeLimit(ms, `after ${why} the teardown may take ${ms} ms.`)
  }
}

/** Starts a limit; it keeps no process alive. */
function startTimeLimit(ms: number, message: string): TimeLimit {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new Error(message)), ms)
  timer.unref()
  return { signal: controller.signal, end: () => clearTimeout(timer) }
}
