import { readTimestamp } from '../../../src/timestamp.ts'
import { readMessage, type PlacedMessage, type ResultWarning } from '../../../src/errors.ts'
import type { JsonObject } from '../../../src/json.ts'
import { runAsOwnRequest } from '../../../src/mock/network.ts'
import type { MockServer } from '../../../src/mock/create-mock-server.ts'
import type { UnhandledPolicy } from '../../../src/mock/mock.ts'
import { learnPlan, learnStep } from '../../../src/report/learn-step.ts'
import type { StepAttempt, StepContext } from '../../../src/run/attempt/attempt.ts'
import type { RunEnvironment } from '../../../src/run/environment.ts'
import { markFailed, trace } from '../../../src/request/trace.ts'
import { runStep } from '../../../src/run/run-step.ts'
import { finishUnsent } from '../../../src/run/finish-step.ts'
import { waitForCalls } from '../../../src/interpolation/sandbox/wait-for-calls.ts'
import { findLoops } from '../../../src/run/loops.ts'
import { describeStep, recordAbsent, rememberState, restoreState } from '../../../src/run/record-outcome.ts'
import type { StepOutcome } from '../../../src/run/step-outcome.ts'
import { createScope, describeSuite, startSuiteRun, type SuiteRun } from '../../../src/run/suite-run.ts'
import type { Redactor } from '../../../src/secrets/redactor.ts'
import { listSteps, type StepPlan, type SuitePlan } from '../../../src/suite/plan/plan.ts'
import type { StepTask } from '../engine/collect-tests.ts'
import { startServices } from '../app/started-services.ts'
import { startClock, type Clock } from './clock.ts'
import { loadExports, type Obtained, type SuiteExports, type SuiteRead } from '../exports/foreign-exports.ts'
import type { LinkedPlan } from './links.ts'
import { listConcerned, listPrerequisites, listSelected } from './prerequisites.ts'
import type { PrerequisiteRules } from './prerequisites.ts'
import { describeUnreported, nameIterations, showDebugged } from './show-step.ts'
import { refuseFakeTimers } from './fake-timers.ts'
import { loadSuiteFaker } from './run-environment.ts'
import { isSkipped, StepRecords } from './step-records.ts'
import { limitSuite, type SuiteLimit } from './suite-limit.ts'
import { openMocks, watchStep } from './suite-mocks.ts'

/** Gets what another suite provides: waits for it, or runs the steps that provide it. */
export type ObtainExports = (
  reader: SuiteSession,
  read: SuiteRead,
  signal: AbortSignal | undefined,
) => Promise<SuiteExports>

/** What all sessions of a test file share. */
export type SessionTools = {
  environment: RunEnvironment
  /** Creates the redactor of a suite, which learns secrets as soon as they are known. */
  redactorOf: (plan: SuitePlan) => Redactor
  seed: number
  onUnhandled: UnhandledPolicy | undefined
  obtain: ObtainExports
  /** Prints a line on behalf of the test that runs. */
  print: (text: string) => void
  runCall: (session: SuiteSession, attempt: StepAttempt) => Promise<void>
}

export type SessionOptions = PrerequisiteRules & {
  /** The suite's name, with the row. */
  name?: string
  row?: JsonObject | undefined
  inputs?: JsonObject | undefined
  /** The session on whose behalf this one runs. */
  reader?: SuiteSession
  /** Its tests, unless it runs for another suite. A step with several has one per iteration. */
  tests?: readonly StepTask[]
  /** Steps whose exports other suites read. They run even if a filter leaves them out. */
  wanted?: readonly StepPlan[] | undefined
}

export type SessionContext = Pick<StepContext, 'signal' | 'loop' | 'compareSnapshot'>

/** One run of one suite in a worker: which steps ran, and their outcomes. */
export class SuiteSession {
  readonly plan: SuitePlan
  readonly linked: LinkedPlan
  readonly options: SessionOptions
  readonly records: StepRecords
  readonly startTime = readTimestamp()
  /** Failures that no test reports. */
  readonly problems: PlacedMessage[] = []
  readonly warnings: ResultWarning[] = []
  /** Undefined until the first step starts. */
  run: SuiteRun | undefined
  /** Addresses of what was started for it. */
  given: JsonObject = Object.create(null)
  /** Exports of other suites, obtained for the suites that share its own application, by file. */
  obtained: Obtained | undefined
  readonly #tools: SessionTools
  readonly #redactor: Redactor
  /** Part of the seed of its generated data: each row and call has its own. */
  readonly #dataName: string
  #calls = 0
  #starting: Promise<SuiteRun> | undefined
  /** The steps that must run before the selected ones, unless they have run as tests. */
  #needed: ReadonlySet<StepPlan> = new Set()
  #limit: SuiteLimit | undefined
  #clock: Clock | undefined
  #mocks: MockServer | undefined
  #closeServices: (() => Promise<void>) | undefined
  /** The last test's step, which may still run: Vitest abandons a test when the run is interrupted. */
  #underWay: Promise<StepOutcome[]> | undefined
  /** Signal of the last test or of the caller, which ends the run. */
  #signal: AbortSignal | undefined

  constructor(linked: LinkedPlan, tools: SessionTools, options: SessionOptions) {
    this.plan = linked.plan
    this.linked = linked
    this.options = options
    this.#tools = tools
    this.records = new StepRecords(listSteps(linked.plan), options.tests)
    this.#redactor = tools.redactorOf(linked.plan)
    const { reader, inputs, row = {} } = options
    const { nodeId, each = [row] } = linked.plan
    const part = reader && inputs ? `${reader.#dataName} ${reader.#calls++}` : each.indexOf(row)
    this.#dataName = `${part} ${nodeId}`
  }

  /** True for a teardown step that ran after the run was stopped, which leaves its test skipped. */
  ranLate(step: StepPlan): boolean {
    return step.phase === 'teardown' && this.#isStopped() && this.records.has(step)
  }

  #isStopped(): boolean {
    return this.#limit?.isInterrupted === true || this.#signal?.aborted === true
  }

  /** Opens another suite on behalf of the same test file, unreported. */
  openOther(linked: LinkedPlan, options: SessionOptions): SuiteSession {
    return new SuiteSession(linked, this.#tools, { ...options, reader: this })
  }

  /** Runs a step and everything that it still needs. A repeated run starts from the same state as the first. */
  runStep(step: StepPlan, context: SessionContext = {}): Promise<StepOutcome[]> {
    return (this.#underWay = this.#runNeeding(step, context))
  }

  async #runNeeding(step: StepPlan, context: SessionContext): Promise<StepOutcome[]> {
    this.#signal = context.signal
    const { tests } = this.options
    const run = await (this.#starting ??= this.#start(tests ? listSelected(tests) : [step], context.signal))
    // The application and the hooks share this thread, and may have replaced its timers.
    const refusal = refuseFakeTimers()
    if (refusal !== undefined) throw new Error(refusal)
    await this.#catchUp(run, this.#needed, step)
    const outcomes = await this.#runStep(run, step, context)
    this.#learn(step, outcomes)
    return outcomes
  }

  async #runStep(run: SuiteRun, step: StepPlan, context: SessionContext): Promise<StepOutcome[]> {
    const signal = this.#limit?.signalFor(step, context.signal)
    // A repeated step takes back its earlier advance of the clock.
    const ran = this.records.outcomes(step, context.loop).filter((each) => !isSkipped(each))
    this.#clock?.advance(-step.advance * ran.length)
    const before = this.records.forget(step, context.loop)
    if (before) restoreState(run, step, before)
    const found = await findLoops(run, step, { ...context, signal })
    const outcomes: StepOutcome[] = []
    for (const [index, loop] of ('loops' in found ? found.loops : [undefined]).entries()) {
      this.#clock?.advance(step.advance)
      const state = rememberState(run, step)
      const loopWarnings = index === 0 && 'loops' in found ? found.warnings : undefined
      const outcome =
        'loops' in found
          ? await this.#runOnce(run, step, { ...context, signal, loop, loopWarnings })
          : finishUnsent({ run, step, scope: createScope(run) }, found)
      this.records.keep(step, loop, { outcome, before: state })
      if (isSkipped(outcome)) this.#clock?.advance(-step.advance)
      outcomes.push(outcome)
      const limited = this.#limit?.note(context.signal)
      // If this step passed in spite of that, the next one fails.
      if (limited !== undefined && outcome.failures.length > 0)
        run.stopped ??= `the suite was stopped in ${describeStep(step)}: ${limited}`
    }
    return outcomes
  }

  #runOnce(run: SuiteRun, step: StepPlan, context: StepContext): Promise<StepOutcome> {
    const mocks = this.#mocks
    if (mocks || 'app_url' in run.given) context.watch = (running) => watchStep(running, mocks)
    context.learn = (seen) => learnStep(this.#redactor, seen)
    if (step.call) context.call = (attempt) => this.#tools.runCall(this, attempt)
    const runIt = (): Promise<StepOutcome> => traceStep(run, step, context)
    return mocks ? runAsOwnRequest(runIt) : runIt()
  }

  /** Learns the secrets of a step, and then says in which iterations it failed, and prints what its author asked for. */
  #learn(step: StepPlan, outcomes: readonly StepOutcome[]): void {
    for (const { result } of outcomes) learnStep(this.#redactor, result)
    if (outcomes.length > 1) nameIterations(outcomes, this.#redactor)
    const debugged = showDebugged({ plan: this.plan, redactor: this.#redactor }, step, outcomes)
    if (debugged.length > 0) this.#tools.print(debugged.join('\n\n'))
  }

  /** Runs, unreported, those of `steps` that have not run, or only those of them before a step. */
  async #catchUp(run: SuiteRun, steps: ReadonlySet<StepPlan>, before?: StepPlan): Promise<void> {
    for (const step of this.records.listOpen(before))
      if (steps.has(step)) await this.#runUnreported(run, step)
  }

  async #runUnreported(run: SuiteRun, step: StepPlan): Promise<void> {
    const outcomes: StepOutcome[] = []
    for (const loop of this.records.listMissing(step))
      outcomes.push(...(await this.#runStep(run, step, { signal: this.#signal, loop })))
    this.#learn(step, outcomes)
    // What a called suite did is reported by the calling step.
    const isStopped = this.#isStopped()
    const { name } = this.options
    if (this.options.inputs || (isStopped && step.phase !== 'teardown')) return
    const isPartial = (): boolean => this.records.leftOut(step)
    const shown = { name, outcomes, redactor: this.#redactor, isPartial }
    this.problems.push(...describeUnreported(this.plan, step, shown))
    // The result of a late teardown is kept for its test.
    if (!isStopped) this.records.release(step)
  }

  /** Starts services, and gets variables and other suites' exports, as far as selected steps need them. */
  async #start(selected: readonly StepPlan[], signal: AbortSignal | undefined): Promise<SuiteRun> {
    const { plan, linked } = this
    const { row, inputs, reader, wanted = [] } = this.options
    const { environment, seed, onUnhandled, obtain } = this.#tools
    // Learnt before anything may print or fail.
    learnPlan(this.#redactor, plan, { env: environment.env, given: [row ?? {}, inputs ?? {}] })
    // A suite that runs for another one uses that one's application, since a token is only valid where it was issued.
    const services = await startServices(plan, reader && 'app_url' in reader.given ? undefined : linked.app)
    this.#closeServices = services.close
    this.obtained = services.close ? new Map() : reader?.obtained
    this.given = { ...services.given, ...reader?.given }
    this.#needed = listPrerequisites(plan, selected, this.options)
    const concerned = listConcerned(plan, [...selected, ...wanted], this.options)
    const { exports, problems, ...foreign } = await loadExports(
      { ...linked, environment },
      concerned,
      (read) => obtain(this, read, signal),
    )
    this.problems.push(...problems)
    // Not earlier: suites that run before this one, for it, have the real time or a clock of their own.
    if (plan.clock !== undefined) this.#clock = startClock(plan.clock)
    const { limits } = environment.settings
    const faker = plan.usesFaker ? await loadSuiteFaker(seed, this.#dataName, limits.expression) : undefined
    const input = { given: this.given, faker, exports, row: inputs ?? row }
    const run = await waitForCalls(() => startSuiteRun(plan, environment, input), { signal })
    Object.assign(run, foreign)
    this.#redactor.learn(run.variables, true)
    const isWatched = reader !== undefined && reader.#mocks !== undefined
    this.#mocks = await openMocks(run, { onUnhandled, isWatched }, this.#redactor)
    this.#limit = limitSuite(limits.suite)
    await environment.hooks?.beforeSuite?.(describeSuite(run), signal)
    this.run = run
    return run
  }

  /** Runs the rest: wanted steps, the teardown and hooks. Resolves to the failures that no test reports. */
  async finish(): Promise<PlacedMessage[]> {
    await this.#underWay?.catch(() => undefined)
    if (!this.#starting) return []
    const tell = (prefix: string) => (error: unknown) =>
      void this.problems.push({ message: `${prefix}${readMessage(error)}`, at: this.plan.at })
    try {
      const run = await this.#starting
      const { wanted = [] } = this.options
      if (!this.#isStopped()) await this.#catchUp(run, listConcerned(this.plan, wanted, this.options))
      // What these steps would have provided is absent.
      for (const step of this.records.listOpen()) recordAbsent(run, step, 'did not provide')
      for (const step of this.plan.teardown) if (!this.records.has(step)) await this.#runUnreported(run, step)
      await this.#tools.environment.hooks?.afterSuite?.(describeSuite(run)).catch(tell(''))
    } catch (error) {
      // If the suite could not start, its tests have failed already.
      if (this.run) throw error
    } finally {
      await this.#mocks?.settle()
      this.#limit?.end()
      this.#clock?.restore()
      const { problems = [], warnings = [] } = this.#mocks?.close(this.records.isPartial) ?? {}
      this.problems.push(...problems)
      this.warnings.push(...warnings)
      this.#mocks = undefined
      await this.#closeServices?.().catch(tell('The application could not be closed: '))
    }
    return this.problems
  }

  /** Runs, unreported, these steps and what they need. `finish` has to follow. */
  async runFor(steps: readonly StepPlan[], signal?: AbortSignal): Promise<void> {
    this.#signal = signal
    const run = await (this.#starting ??= this.#start(steps, signal))
    await this.#catchUp(run, listConcerned(this.plan, steps, this.options))
  }
}

/** Runs a step, in its own span if tracing is on. */
function traceStep(run: SuiteRun, step: StepPlan, context: StepContext): Promise<StepOutcome> {
  const attributes = { 'suitecase.suite': run.plan.nodeId, 'suitecase.step': step.id }
  return trace(step.name, attributes, async (span) => {
    const outcome = await runStep(run, step, context)
    const { status, response_details } = outcome.result
    span?.setAttribute('suitecase.status', status)
    if (status === 'failure') markFailed(span)
    if (response_details) span?.setAttribute('http.response.status_code', response_details.status_code)
    return outcome
  })
}
