import { readTimestamp } from '../src/timestamp.ts'
import type { JsonObject } from '../src/json.ts'
import { readOwn } from '../src/json.ts'
import type { RunEnvironment } from '../src/run/environment.ts'
import { listLoops } from '../src/run/loops.ts'
import { failStep, runStep } from '../src/run/run-step.ts'
import {
  listVisible,
  startSuiteRun,
  type StepFailure,
  type StepOutcome,
  type SuiteRun,
} from '../src/run/suite-run.ts'
import { listSteps, type StepPlan, type SuitePlan } from '../src/suite/plan.ts'
import { runCall } from './call-suite.ts'
import type { Claim, Published } from './export-board.ts'
import { loadExports } from './load-exports.ts'
import type { LinkedPlan, Links } from './links.ts'
import { sendMessage } from './send-message.ts'
import { listPrerequisites, type PrerequisiteOption } from './prerequisites.ts'
import { startServices } from './services.ts'
import { SuiteMocks } from './suite-mocks.ts'
import { watchLateErrors } from './app/late-errors.ts'
import { startClock, type Clock } from './clock.ts'
import type { MockProblem, UnhandledPolicy } from '../src/mock/mock.ts'
import { loadSuiteFaker } from './worker.ts'

/** What a session needs beside the suite. */
export type SessionOptions = {
  environment: RunEnvironment
  prerequisites: PrerequisiteOption
  /** Seed of generated data. */
  seed: number
  onUnhandled?: UnhandledPolicy
  row?: JsonObject
  inputs?: JsonObject
  /** False when a suite is run for another one, which has claimed it already. */
  claims?: boolean
}

/** One run of one suite inside a worker: which steps ran and what came of them. */
export class SuiteSession {
  readonly plan: SuitePlan
  readonly links: Links
  readonly options: SessionOptions
  readonly outcomes = new Map<StepPlan, StepOutcome[]>()
  readonly startTime = readTimestamp()
  run: SuiteRun | undefined
  #starting: Promise<SuiteRun> | undefined
  #mocks: SuiteMocks | undefined
  #clock: Clock | undefined
  #replayed: Record<string, StepOutcome[]> | undefined

  constructor({ plan, links }: LinkedPlan, options: SessionOptions) {
    this.plan = plan
    this.links = links
    this.options = options
  }

  /** Runs a step with all that it still needs, or hands over what an earlier run of it gave. */
  async runStep(
    step: StepPlan,
    context: { signal?: AbortSignal; loops?: JsonObject[] } = {},
  ): Promise<StepOutcome[]> {
    const run = await this.start()
    const replayed = this.#replayed?.[step.id]
    if (replayed) {
      this.outcomes.set(step, replayed)
      return replayed
    }
    const steps = listSteps(this.plan)
    for (const earlier of listPrerequisites(step, {
      steps,
      done: this.outcomes,
      option: this.options.prerequisites,
    }))
      await this.#execute(run, earlier, context.signal ? { signal: context.signal } : {})
    return this.#execute(run, step, context)
  }

  async #execute(
    run: SuiteRun,
    step: StepPlan,
    context: { signal?: AbortSignal; loops?: JsonObject[] },
  ): Promise<StepOutcome[]> {
    const outcomes: StepOutcome[] = []
    const loops = context.loops ?? listLoops(run, step)
    if (!Array.isArray(loops)) outcomes.push(failStep(run, step, loops))
    this.#clock?.advance(step.advance)
    for (const loop of Array.isArray(loops) ? loops : []) {
      const stepContext = { ...(context.signal && { signal: context.signal }), ...(loop && { loop }) }
      const execute = (): Promise<StepOutcome> =>
        step.call
          ? runCall({ session: this, run, step, context: stepContext })
          : runStep(run, step, stepContext)
      const mocked = (): Promise<StepOutcome> => this.#mocks?.around(step, loop, execute) ?? execute()
      outcomes.push(await ('app_url' in run.given ? failForLateErrors(mocked, step) : mocked()))
    }
    this.outcomes.set(step, [...(this.outcomes.get(step) ?? []), ...outcomes])
    return outcomes
  }

  /** Gets all that the first step needs: services, other suites' exports, the suite's variables. */
  start(): Promise<SuiteRun> {
    this.#starting ??= this.#start()
    return this.#starting
  }

  async #start(): Promise<SuiteRun> {
    const { environment, row, inputs } = this.options
    if (this.plan.exports.length > 0 && this.options.claims !== false) {
      const claim = (await sendMessage(this.links.import, {
        kind: 'claim',
        nodeId: this.plan.nodeId,
      })) as Claim
      if (claim.state === 'done' && claim.published.outcomes)
        this.#replayed = claim.published.outcomes as Record<string, StepOutcome[]>
    }
    if (this.plan.clock !== undefined) this.#clock = startClock(this.plan.clock)
    const given = await startServices(this.plan, this.links)
    const foreign = await loadExports(this)
    const faker = this.plan.usesFaker ? await loadSuiteFaker(this.options.seed, this.plan.nodeId) : undefined
    this.run = await startSuiteRun(this.plan, environment, {
      given,
      ...(faker && { faker }),
      exports: foreign.exports,
      ...(row && { row }),
      ...(inputs && { inputs }),
    })
    for (const [nodeId, reason] of foreign.missing) this.run.missing.set(nodeId, reason)
    this.#mocks = await SuiteMocks.open(this.run, this.options.onUnhandled)
    return this.run
  }

  /** Runs what must run whatever happened, and hands the exports to the suites that wait for them. Returns what was wrong with the suite's mocks. */
  async finish(): Promise<MockProblem[]> {
    try {
      if (!this.#starting || !this.run) return []
      for (const step of this.plan.teardown)
        if (!this.outcomes.has(step)) await this.#execute(this.run, step, {})
      if (this.plan.exports.length > 0 && this.options.claims !== false && !this.#replayed)
        await sendMessage(this.links.import, {
          kind: 'publish',
          nodeId: this.plan.nodeId,
          published: this.publish(false),
        })
      return (await this.#mocks?.close()) ?? []
    } finally {
      this.#mocks = undefined
      this.#clock?.restore()
    }
  }

  /** Runs all steps, unreported, for a suite that needs this one's exports. */
  async runAll(signal?: AbortSignal): Promise<Published> {
    const run = await this.start()
    for (const step of [...this.plan.setup, ...this.plan.steps])
      await this.#execute(run, step, signal ? { signal } : {})
    await this.finish()
    return this.publish(true)
  }

  /** All variables the suite can see by now. */
  listVisible(): JsonObject {
    return this.run ? listVisible(this.run) : {}
  }

  /** What this run gives to others. */
  publish(withOutcomes: boolean): Published {
    const run = this.run
    const values: JsonObject = {}
    for (const name of this.plan.exports) {
      const value = run && (readOwn(run.captures, name) ?? readOwn(run.variables, name))
      if (value !== undefined)
        Object.defineProperty(values, name, { value, enumerable: true, configurable: true, writable: true })
    }
    const failed = [...this.outcomes].find(([, outcomes]) =>
      outcomes.some(({ failures }) => failures.length > 0),
    )
    return {
      values,
      ...(failed && { failure: `step “${failed[0].name}” (${this.plan.file}:${failed[0].at[0]}) failed` }),
      ...(withOutcomes && {
        outcomes: Object.fromEntries([...this.outcomes].map(([step, outcomes]) => [step.id, outcomes])),
      }),
    }
  }
}

/** Runs a step; errors that the application throws into the void meanwhile are failures of the step. */
async function failForLateErrors(execute: () => Promise<StepOutcome>, step: StepPlan): Promise<StepOutcome> {
  const late = watchLateErrors()
  let errors: unknown[] = []
  const outcome = await execute().finally(async () => {
    errors = await late.stop()
  })
  if (errors.length === 0) return outcome
  const failures = errors.map((error): StepFailure => ({
    kind: 'app',
    message: `The application threw an error that nobody handled: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    at: step.at,
  }))
  const messages = failures.map(({ message }) => message)
  return {
    failures: [...outcome.failures, ...failures],
    result: {
      ...outcome.result,
      status: 'failure',
      error_message: [outcome.result.error_message, ...messages].filter(Boolean).join('\n'),
    },
  }
}
