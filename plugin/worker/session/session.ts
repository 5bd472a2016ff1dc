import { readTimestamp } from '../../../src/timestamp.ts'
import { readMessage } from '../../../src/errors.ts'
import type { JsonObject } from '../../../src/json.ts'
import { rerunCommand } from '../../../src/report/rerun-command.ts'
import { showExchange } from '../../../src/report/show-exchange.ts'
import { learnPlan, learnStep, learnWritten } from '../../../src/report/learn-step.ts'
import type { Redactor } from '../../../src/secrets/redactor.ts'
import { listVisible, startSuiteRun, type SuiteRun } from '../../../src/run/suite-run.ts'
import type { StepOutcome } from '../../../src/run/step-outcome.ts'
import { listSteps, type StepPlan, type SuitePlan } from '../../../src/suite/plan/plan.ts'
import { resolveCalls, runCall } from './call-suite.ts'
import { loadExports } from './suite-exports.ts'
import type { LinkedPlan, Links, Session, SessionContext, SessionOptions } from './session-interface.ts'
import { listGivers, listPrerequisites } from './prerequisites.ts'
import { startServices } from '../app/started-services.ts'
import { startClock, type Clock } from './clock.ts'
import { StepRecords } from './step-records.ts'
import { StepRunner } from './step-runner.ts'
import { SuiteMocks } from './suite-mocks.ts'
import type { SuiteProblem } from '../../contract/suite-exports.ts'
import { loadSuiteFaker } from './run-environment.ts'

/** One run of one suite inside a worker: which steps ran and what came of them. */
export class SuiteSession implements Session {
  readonly plan: SuitePlan
  readonly links: Links
  readonly options: SessionOptions
  readonly records = new StepRecords()
  readonly startTime = readTimestamp()
  calls: ReadonlyMap<StepPlan, string> = new Map()
  run: SuiteRun | undefined
  given: JsonObject = Object.create(null)
  readonly #steps: readonly StepPlan[]
  /** How many steps at the start have run: later ones need not look at them again. */
  #ran = 0
  #starting: Promise<StepRunner> | undefined
  #runner: StepRunner | undefined
  #clock: Clock | undefined
  #mocks: SuiteMocks | undefined
  #closeServices: (() => Promise<void>) | undefined
  /** Ends the run; that of the last test. */
  #signal: AbortSignal | undefined
  /** What failed without being reported as a test. */
  #problems: SuiteProblem[] = []
  readonly #redactor: Redactor

  constructor({ plan, links }: LinkedPlan, options: SessionOptions) {
    this.plan = plan
    this.#steps = listSteps(plan)
    this.links = links
    this.options = options
    this.#redactor = options.redactorOf(plan)
  }

  /** Teardown steps that ran although the run was stopped, which leaves their tests skipped. */
  listLateTeardown(): StepPlan[] {
    return this.#isStopped() ? this.plan.teardown.filter((step) => this.records.has(step)) : []
  }

  #isStopped(): boolean {
    return this.#runner?.isInterrupted === true || this.#signal?.aborted === true
  }

  openOther(
    linked: LinkedPlan,
    options: Pick<SessionOptions, 'prerequisites' | 'row' | 'inputs'>,
  ): SuiteSession {
    const { environment, seed, obtain, redactorOf } = this.options
    const { given } = this
    return new SuiteSession(linked, { environment, seed, obtain, redactorOf, given, ...options })
  }

  async runStep(step: StepPlan, context: SessionContext = {}): Promise<StepOutcome[]> {
    this.#signal = context.signal
    const runner = await this.start(context)
    for (const earlier of this.#listPrerequisites(step))
      await this.#runUnreported(runner, earlier, context.signal)
    const outcomes = await this.#runStep(runner, step, context)
    // What is not called is learnt where it is packed.
    if (this.options.inputs) this.#learn(outcomes)
    return outcomes
  }

  /** Runs a step; an application may print what it is sent. */
  #runStep(runner: StepRunner, step: StepPlan, context: SessionContext): Promise<StepOutcome[]> {
    if (this.links.app) learnWritten(this.#redactor, step)
    return runner.runStep(step, context)
  }

  #learn(outcomes: readonly StepOutcome[]): void {
    for (const { result } of outcomes) learnStep(this.#redactor, result)
  }

  #listPrerequisites(step: StepPlan): StepPlan[] {
    const { records, calls, options } = this
    const { prerequisites, inputs: given } = options
    // Any earlier answer may have set a cookie.
    const option = prerequisites === 'needed' && this.plan.cookies ? 'all' : prerequisites
    const steps = this.#steps
    while (this.#ran < steps.length && records.has(steps[this.#ran] as StepPlan)) this.#ran += 1
    return listPrerequisites(step, { steps, done: records, first: this.#ran, option, calls, given })
  }

  /** How many steps before this one a filter left out although they are not known to matter. */
  countLeftOut(step: StepPlan): number {
    const earlier = step.phase === 'teardown' ? [] : this.#steps.slice(this.#ran, this.#steps.indexOf(step))
    return earlier.filter((each) => this.#isLeftOut(each)).length
  }

  #isLeftOut(step: StepPlan): boolean {
    return !step.todo && !this.records.has(step)
  }

  async #runUnreported(runner: StepRunner, step: StepPlan, signal?: AbortSignal): Promise<void> {
    const outcomes = await this.#runStep(runner, step, { signal })
    this.#learn(outcomes)
    // What a called suite did is told by the step that calls it.
    const isStopped = this.#isStopped()
    if (this.options.inputs || (isStopped && step.phase !== 'teardown')) return
    this.#problems.push(
      ...describeUnreported(this.plan.file, step, {
        outcomes,
        leftOut: this.countLeftOut(step),
        redactor: this.#redactor,
      }),
    )
    // The result of a late teardown is that of its test.
    if (!isStopped) this.records.release(step)
  }

  /** Gets all that the first step needs: services, other suites' exports, the suite's variables. */
  start(context: Pick<SessionContext, 'signal' | 'selected'> = {}): Promise<StepRunner> {
    this.#starting ??= this.#start(context)
    return this.#starting
  }

  async #start({ signal, selected }: Pick<SessionContext, 'signal' | 'selected'>): Promise<StepRunner> {
    const { plan, records } = this
    const { environment, seed, row, inputs, onUnhandled, given: shared = {} } = this.options
    // Before anything that may print or fail.
    learnPlan(this.#redactor, plan, { env: environment.env, row, inputs })
    this.calls = await resolveCalls(this)
    // What runs for another suite uses that one's application: a token is good only where it was given.
    const services = await startServices(plan, 'app_url' in shared ? undefined : this.links.app)
    this.#closeServices = services.close
    this.given = { ...services.given, ...shared }
    const foreign = await loadExports(this, { selected: this.#listConcerned(selected), signal })
    // Not before: suites that run first for this one have the real time or a clock of their own.
    if (plan.clock !== undefined) this.#clock = startClock(plan.clock)
    const { pathLimit } = environment.settings
    const faker = plan.usesFaker ? await loadSuiteFaker(seed, plan.nodeId, pathLimit) : undefined
    const { given } = this
    const { exports } = foreign
    const run = await startSuiteRun(plan, environment, { given, faker, exports, row, inputs })
    this.#redactor.learnVariables(run.variables)
    for (const [name, reason] of foreign.missing) run.missing.set(name, reason)
    if (foreign.stopped !== undefined) run.stopped = foreign.stopped
    this.#problems.push(...foreign.problems)
    this.#mocks = await SuiteMocks.open(run, onUnhandled)
    this.#runner = new StepRunner({
      run,
      records,
      call: (step, context) => runCall(this, step, context),
      clock: this.#clock,
      mocks: this.#mocks,
    })
    await environment.hooks?.beforeSuite?.(this.#describeSuite(run))
    this.run = run
    return this.#runner
  }

  /** The steps a run is about, with all that they need. */
  #listConcerned(selected: readonly StepPlan[] = this.#steps): readonly StepPlan[] {
    if (selected.length === this.#steps.length) return this.#steps
    const steps = [...selected, ...this.plan.teardown]
    return [...new Set([...steps.flatMap((step) => this.#listPrerequisites(step)), ...steps])]
  }

  #describeSuite(run: SuiteRun): JsonObject {
    const { nodeId, name, file } = this.plan
    return { suite: { node_id: nodeId, name, file }, variables: listVisible(run) }
  }

  async finish(): Promise<SuiteProblem[]> {
    if (!this.#starting) return []
    const { hooks } = this.options.environment
    try {
      const runner = await this.#starting
      await this.#runWanted(runner)
      for (const step of this.plan.teardown)
        if (!this.records.has(step)) await this.#runUnreported(runner, step)
      if (this.run) await hooks?.afterSuite?.(this.#describeSuite(this.run)).catch(this.#tell(''))
    } catch (error) {
      // What kept it from starting has failed its tests.
      if (this.run) throw error
    } finally {
      this.#runner?.close()
      this.#clock?.restore()
      this.#problems.push(...(this.#mocks?.close(!this.#ranAll()) ?? []))
      this.#mocks = undefined
      await this.#closeServices?.().catch(this.#tell('The application could not be closed: '))
    }
    return this.takeProblems()
  }

  /** Takes an error that fails the suite and none of its steps. */
  #tell(prefix: string): (error: unknown) => void {
    return (error) =>
      void this.#problems.push({ message: `${prefix}${readMessage(error)}`, at: this.plan.at })
  }

  /** Whether no step was left out. */
  #ranAll(): boolean {
    return ![...this.plan.setup, ...this.plan.steps].some((step) => this.#isLeftOut(step))
  }

  /** Runs the steps that a filter left out and whose exports others in this run read. */
  async #runWanted(runner: StepRunner): Promise<void> {
    const { listWanted, prerequisites } = this.options
    if (!listWanted || prerequisites === 'none' || runner.isInterrupted || this.#ranAll()) return
    await this.#runGivers(runner, listGivers(this.plan, await listWanted()))
  }

  async #runGivers(runner: StepRunner, givers: readonly StepPlan[], signal?: AbortSignal): Promise<void> {
    for (const giver of givers)
      for (const step of [...this.#listPrerequisites(giver), giver])
        if (!this.records.has(step)) await this.#runUnreported(runner, step, signal)
  }

  async runFor(wanted?: readonly string[], signal?: AbortSignal): Promise<void> {
    const selected = listGivers(this.plan, this.options.prerequisites === 'all' ? undefined : wanted)
    try {
      await this.#runGivers(await this.start({ selected, signal }), selected, signal)
    } finally {
      // What could not start may have set the clock, or opened its mocks.
      this.#problems.push(...(await this.finish()))
    }
  }

  takeProblems(): SuiteProblem[] {
    return this.#problems.splice(0)
  }
}

/** What may be the cause of a failure where a filter chose the steps. */
export function describeLeftOut(count: number): string {
  return `Steps that were left out before it: ${count}. If it depends on one, \`prerequisites: 'all'\` runs them.`
}

/** Failures of a step that ran without being a test of this run, told as one: they must not go unnoticed. */
function describeUnreported(
  file: string,
  step: StepPlan,
  { outcomes, leftOut, redactor }: { outcomes: readonly StepOutcome[]; leftOut: number; redactor: Redactor },
): SuiteProblem[] {
  const which = step.phase === 'teardown' ? 'The teardown step' : 'The step'
  const why = step.phase === 'teardown' ? 'which ran after the others' : 'which ran because another needs it'
  return outcomes.flatMap((outcome) => {
    const [first, ...others] = outcome.failures
    if (!first) return []
    const exchange = showExchange(outcome, redactor)
    const told = `${which} “${step.name}” (line ${step.at[0]}), ${why}, failed: ${first.message}`
    const more = others.map(({ message, at }) => `  ${at.join(':')}: ${message}`)
    const hint = leftOut > 0 ? [`  ${describeLeftOut(leftOut)}`] : []
    const sent = exchange === undefined ? [] : [exchange, '']
    const message = [told, ...more, '', ...sent, `  ${rerunCommand(file, step.at[0])}`, ...hint].join('\n')
    return [{ message, at: first.at }]
  })
}
