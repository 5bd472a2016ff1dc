import { readTimestamp } from '../src/timestamp.ts'
import type { JsonObject } from '../src/json.ts'
import { recordFailure } from '../src/run/record-outcome.ts'
import { settleSnapshots, type CompareSnapshot } from '../src/run/settle-snapshots.ts'
import { listVisible, startSuiteRun, type SuiteRun } from '../src/run/suite-run.ts'
import type { StepOutcome } from '../src/run/step-outcome.ts'
import { listSteps, type StepPlan, type SuitePlan } from '../src/suite/plan.ts'
import { resolveCalls, runCall } from './call-suite.ts'
import { claimSuite } from './claim-suite.ts'
import { loadExports } from './load-exports.ts'
import type { LinkedPlan, Links } from './links.ts'
import { sendMessage } from './send-message.ts'
import { listGivers, listPrerequisites } from './prerequisites.ts'
import { describePublished, findExportDefect } from './published.ts'
import type { Published } from './export-board.ts'
import { startServices } from './services.ts'
import { StepRecords } from './step-records.ts'
import type { Session, SessionContext, SessionOptions } from './session-interface.ts'
import { SuiteStage } from './suite-stage.ts'
import { describeUnreported, type SuiteProblem } from './unreported.ts'
import { loadSuiteFaker } from './worker.ts'

/** One run of one suite inside a worker: which steps ran and what came of them. */
export class SuiteSession implements Session {
  readonly plan: SuitePlan
  readonly links: Links
  readonly options: SessionOptions
  readonly records = new StepRecords()
  readonly startTime = readTimestamp()
  /** Node ids under which steps with `call` give values. */
  calls: ReadonlyMap<StepPlan, string> = new Map()
  run: SuiteRun | undefined
  readonly #steps: readonly StepPlan[]
  #starting: Promise<SuiteRun> | undefined
  readonly #stage: SuiteStage
  /** What failed without being reported as a test. */
  #problems: SuiteProblem[] = []

  constructor({ plan, links }: LinkedPlan, options: SessionOptions) {
    this.plan = plan
    this.#steps = listSteps(plan)
    this.links = links
    this.options = options
    this.#stage = new SuiteStage(this.records, (input) => runCall({ session: this, ...input }))
  }

  /** Teardown steps that ran although the run was stopped, which leaves their tests skipped. */
  listLateTeardown(): StepPlan[] {
    return this.#stage.isInterrupted ? this.plan.teardown.filter((step) => this.records.has(step)) : []
  }

  /** Opens another suite on behalf of the same test file, unreported. */
  openOther(
    linked: LinkedPlan,
    options: Pick<SessionOptions, 'prerequisites' | 'row' | 'inputs'>,
  ): SuiteSession {
    const { environment, seed, origin = this.plan.nodeId } = this.options
    return new SuiteSession(linked, { environment, seed, origin, ...options })
  }

  /** Runs a step with all that it still needs, or hands over what an earlier run of it gave. Run again, it starts from the state it started from before. */
  async runStep(step: StepPlan, context: SessionContext = {}): Promise<StepOutcome[]> {
    const run = await this.start(context)
    const replayed = this.records.replay(step, context.loops)
    if (replayed) return replayed
    for (const earlier of this.#listPrerequisites(step))
      await this.#runUnreported(run, earlier, context.signal)
    return this.#stage.runStep(run, step, context)
  }

  #listPrerequisites(step: StepPlan): StepPlan[] {
    const { records, calls, options } = this
    const given = options.inputs
    return listPrerequisites(step, {
      steps: this.#steps,
      done: records,
      option: options.prerequisites,
      calls,
      ...(given && { given }),
    })
  }

  async #runUnreported(run: SuiteRun, step: StepPlan, signal?: AbortSignal): Promise<void> {
    const outcomes = await this.#stage.runStep(run, step, signal ? { signal } : {})
    if (!this.#stage.isInterrupted) this.#problems.push(...describeUnreported(step, outcomes))
  }

  /** Compares snapshots of outcomes just run; one that differs fails its step like every other check. */
  settleSnapshots(step: StepPlan, outcomes: readonly StepOutcome[], compare: CompareSnapshot): void {
    for (const outcome of outcomes)
      if (settleSnapshots(outcome, compare) && this.run) recordFailure(this.run, step)
  }

  /** Gets all that the first step needs: services, other suites' exports, the suite's variables. */
  start(context: Pick<SessionContext, 'signal' | 'selected'> = {}): Promise<SuiteRun> {
    this.#starting ??= this.#start(context)
    return this.#starting
  }

  async #start({ signal, selected }: Pick<SessionContext, 'signal' | 'selected'>): Promise<SuiteRun> {
    const { environment, row, inputs } = this.options
    if (this.#isClaimed) {
      const claim = await claimSuite(this, this.plan.nodeId, signal)
      if (claim.state === 'done') this.records.takeOver(claim.published.outcomes?.[this.#row] as never)
    }
    this.calls = await resolveCalls(this)
    const given = await startServices(this.plan, this.links)
    const foreign = await loadExports(this, { selected: this.#listConcerned(selected), signal })
    // Not before: suites that run first for this one have the real time or a clock of their own.
    this.#stage.startClock(this.plan.clock)
    const faker = this.plan.usesFaker
      ? await loadSuiteFaker(
          { seed: this.options.seed, limit: environment.settings.pathLimit },
          this.plan.nodeId,
        )
      : undefined
    const run = await startSuiteRun(this.plan, environment, {
      given,
      ...(faker && { faker }),
      exports: foreign.exports,
      ...(row && { row }),
      ...(inputs && { inputs }),
    })
    for (const [nodeId, reason] of foreign.missing) run.missing.set(nodeId, reason)
    if (foreign.stopped !== undefined) run.stopped = foreign.stopped
    this.#problems.push(...foreign.problems)
    await this.#stage.open(run, this.options.onUnhandled)
    this.run = run
    return run
  }

  /** True for a suite that reports its own steps and that others can read. */
  get #isClaimed(): boolean {
    return this.options.origin === undefined && this.plan.exports.length > 0
  }

  get #row(): string {
    const { row } = this.options
    return String(row ? this.plan.each?.indexOf(row) : 0)
  }

  /** The steps a run is about, with all that they need. */
  #listConcerned(selected: readonly StepPlan[] = this.#steps): readonly StepPlan[] {
    if (selected.length === this.#steps.length) return this.#steps
    const steps = [...selected, ...this.plan.teardown]
    return [...new Set([...steps.flatMap((step) => this.#listPrerequisites(step)), ...steps])]
  }

  /** Runs what must run whatever happened, and hands the exports to the suites that wait for them. Returns what failed without being reported as a test. */
  async finish(): Promise<SuiteProblem[]> {
    if (!this.#starting) return []
    try {
      const run = await this.#starting
      if (!this.records.isReplay) await this.#finish(run)
    } catch (error) {
      // The tests have failed with this error; those who wait for the exports must hear of it too.
      const failure = `it could not be started: ${error instanceof Error ? error.message : String(error)}`
      await this.#publish({ values: {}, failure })
      if (this.run) throw error
    } finally {
      this.#problems.push(...(await this.#stage.close()))
    }
    return this.takeProblems()
  }

  async #finish(run: SuiteRun): Promise<void> {
    await this.#runWanted(run)
    for (const step of this.plan.teardown) if (!this.records.has(step)) await this.#runUnreported(run, step)
    const defect = findExportDefect(this)
    if (defect !== undefined) this.#problems.push({ message: `In this suite ${defect}.`, at: this.plan.at })
    await this.#publish(describePublished(this))
  }

  async #publish(published: Published): Promise<void> {
    if (!this.#isClaimed || this.records.isReplay) return
    const { nodeId, each } = this.plan
    const more = each !== undefined && Number(this.#row) < each.length - 1
    await sendMessage(this.links.import, { kind: 'publish', nodeId, published, more })
  }

  /** Runs the steps that a filter left out and whose exports others in this run read. */
  async #runWanted(run: SuiteRun): Promise<void> {
    const { plan, options, records } = this
    if (options.origin !== undefined || options.prerequisites === 'none' || this.#stage.isInterrupted) return
    if ([...plan.setup, ...plan.steps].every((step) => records.has(step))) return
    const wanted = (await sendMessage(this.links.import, { kind: 'wanted', nodeId: plan.nodeId })) as
      | string[]
      | null
    for (const giver of listGivers(plan, wanted ?? undefined))
      for (const step of [...this.#listPrerequisites(giver), giver])
        if (!records.has(step)) await this.#runUnreported(run, step)
  }

  /** Runs, unreported, all steps, or those that some exports need; then the teardown. */
  async runFor(wanted?: readonly string[], signal?: AbortSignal): Promise<void> {
    const selected = listGivers(this.plan, wanted)
    const run = await this.start({ selected, ...(signal && { signal }) })
    for (const giver of selected)
      for (const step of [...this.#listPrerequisites(giver), giver])
        if (!this.records.has(step)) await this.#runUnreported(run, step, signal)
    this.#problems.push(...(await this.finish()))
  }

  /** What failed without being reported as a test, each handed over once. */
  takeProblems(): SuiteProblem[] {
    return this.#problems.splice(0)
  }

  /** All variables the suite can see by now. */
  listVisible(): JsonObject {
    return this.run ? listVisible(this.run) : {}
  }
}
