import type { JsonObject } from '../../../src/json.ts'
import type { MockProblem, UnhandledPolicy } from '../../../src/mock/mock.ts'
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
import { startClock, type Clock } from './clock.ts'
import type { SessionContext } from './session-interface.ts'
import type { StepRecords } from './step-records.ts'
import { SuiteMocks } from './suite-mocks.ts'
import { limitSuite, limitTeardown, type TimeLimit } from './time-limit.ts'

/** Runs a step with `call`. */
type CallSuite = (step: StepPlan, context: StepContext) => Promise<AttemptOutcome>

type Surrounded<Value> = {
  step: StepPlan
  loop: JsonObject | undefined
  attempt: (stop?: AbortSignal) => Promise<Value>
}

/** All that holds while the steps of one suite run: its time limit, its mocks, its clock; what came of the steps goes to its records. */
export class StepRunner {
  /** True once a step was aborted from outside. */
  isInterrupted = false
  #records: StepRecords
  #call: CallSuite
  #limit: TimeLimit | undefined
  #grace: TimeLimit | undefined
  #mocks: SuiteMocks | undefined
  #clock: Clock | undefined

  constructor(records: StepRecords, call: CallSuite) {
    this.#records = records
    this.#call = call
  }

  /** Sets the time of the suite, if it has one of its own. */
  startClock(iso: string | undefined): void {
    if (iso !== undefined) this.#clock = startClock(iso)
  }

  /** Starts the limit and the mocks of a suite. */
  async open(run: SuiteRun, onUnhandled: UnhandledPolicy | undefined): Promise<void> {
    this.#limit = limitSuite(run.environment.settings.suiteLimit)
    this.#mocks = await SuiteMocks.open(run, onUnhandled)
  }

  /** Gives back time and network; returns what was wrong with the suite's own mocks. */
  async close(isPartial: boolean): Promise<MockProblem[]> {
    this.#limit?.end()
    this.#clock?.restore()
    const mocks = this.#mocks
    this.#mocks = undefined
    return (await mocks?.close(isPartial)) ?? []
  }

  /** Runs a step, once for each iteration. */
  async runStep(run: SuiteRun, step: StepPlan, context: SessionContext): Promise<StepOutcome[]> {
    if (step.phase === 'teardown') this.#graceTeardown()
    const limit = this.#limit?.signal
    const signals = [context.signal, limit].filter((signal) => signal !== undefined)
    const signal = signals.length > 1 ? AbortSignal.any(signals) : signals[0]
    const isAgain = this.#restore(run, step, context.loop)
    const loops = context.loop ? [context.loop] : listLoops(run, step)
    if (!Array.isArray(loops)) {
      // There may be no list because the step that gives it failed.
      const { reason, wanted = false } = decideSkip(run, step)
      const outcome = reason
        ? skipStep(run, step, { reason, wanted })
        : failStep(run, step, { failure: loops })
      return this.#keep(run, step, outcome)
    }
    if (loops.length === 0)
      return this.#keep(run, step, skipStep(run, step, { reason: 'the list of `iterate` is empty' }))
    const outcomes: StepOutcome[] = []
    if (isAgain) this.#clock?.advance(-step.advance * loops.length)
    const { compareSnapshot } = context
    for (const loop of loops) {
      this.#clock?.advance(step.advance)
      outcomes.push(await this.#runLoop(run, step, { signal, loop, compareSnapshot }))
    }
    if (limit?.aborted)
      run.stopped ??= `the suite was stopped in ${describeStep(step)}: ${limit.reason.message}`
    this.isInterrupted ||= context.signal?.aborted === true && !limit?.aborted
    return outcomes
  }

  async #runLoop(run: SuiteRun, step: StepPlan, context: StepContext): Promise<StepOutcome> {
    const { loop } = context
    const before = rememberState(run, step)
    const call = (): Promise<AttemptOutcome> => this.#call(step, context)
    const surround: StepContext['surround'] = (attempt) => this.#surround(run, { step, loop, attempt })
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
    this.#records.keep(step, { outcome, before, loop })
    return outcome
  }

  /** Runs the attempts of a step between its mocks, and takes the errors that the application throws meanwhile. */
  async #surround<Value>(
    run: SuiteRun,
    { step, loop, attempt }: Surrounded<Value>,
  ): Promise<{ value: Value; findings: Findings }> {
    const findings: Findings = { mocks: [], calls: [], late: [], warnings: [] }
    const mocked = (stop?: AbortSignal): Promise<Value> =>
      this.#mocks?.around(step, { loop, findings, run: () => attempt(stop) }) ?? attempt(stop)
    if (!('app_url' in run.given)) return { value: await mocked(), findings }
    const { value, errors } = await watchLateErrors(mocked)
    findings.late = errors.map((message) => ({ message, at: step.at }))
    return { value, findings }
  }

  #keep(run: SuiteRun, step: StepPlan, outcome: StepOutcome): StepOutcome[] {
    this.#records.keep(step, { outcome, before: rememberState(run, step), loop: undefined })
    return [outcome]
  }

  /** Takes back what an earlier run of the step did; true if there was one. */
  #restore(run: SuiteRun, step: StepPlan, loop: JsonObject | undefined): boolean {
    const before = this.#records.forget(step, loop)
    if (before) restoreState(run, step, before)
    return before !== undefined
  }

  /** A suite that was interrupted or took too long still gets some seconds for its teardown, once. */
  #graceTeardown(): void {
    if (this.#grace || !(this.isInterrupted || this.#limit?.signal.aborted)) return
    this.#limit?.end()
    this.#grace = limitTeardown(this.isInterrupted)
    this.#limit = this.#grace
  }
}
