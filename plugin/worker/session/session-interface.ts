import type { JsonObject } from '../../../src/json.ts'
import type { UnhandledPolicy } from '../../../src/mock/mock.ts'
import type { RunEnvironment } from '../../../src/run/environment.ts'
import type { StepContext } from '../../../src/run/attempt/attempt.ts'
import type { StepOutcome } from '../../../src/run/step-outcome.ts'
import type { SuiteRun } from '../../../src/run/suite-run.ts'
import type { Redactor } from '../../../src/secrets/redactor.ts'
import type { StepPlan, SuitePlan } from '../../../src/suite/plan/plan.ts'
import type { PrerequisiteOption } from './prerequisites.ts'
import type { StepRecords } from './step-records.ts'
import type { SuiteExports, SuiteProblem } from '../../contract/suite-exports.ts'

/** The way from a suite to the others it names, and to the application under test. */
export type Links = {
  /** Node id (or file name, in a `call`) → that suite's plan and links. */
  plans: ReadonlyMap<string, () => Promise<LinkedPlan>>
  /** The application under test. */
  app?: AppLink | undefined
}

/** A suite's plan with its links in turn. */
export type LinkedPlan = { plan: SuitePlan; links: Links; path: string }

/** How to get the application under test. */
export type AppLink = {
  /** Imports its module and gives the default export. */
  load: () => Promise<unknown>
  /** One for all suites, or a fresh one for each. */
  per: 'run' | 'suite'
}

/** Gets what another suite hands on: waits for it, or runs the steps that give it. */
export type ObtainExports = (
  reader: Session,
  nodeId: string,
  signal: AbortSignal | undefined,
) => Promise<SuiteExports>

/** What a session needs beside the suite. */
export type SessionOptions = {
  environment: RunEnvironment
  /** The redactor of a suite, which learns its secrets as soon as they are known. */
  redactorOf: (plan: SuitePlan) => Redactor
  prerequisites: PrerequisiteOption
  /** Seed of generated data. */
  seed: number
  onUnhandled?: UnhandledPolicy | undefined
  row?: JsonObject | undefined
  inputs?: JsonObject | undefined
  /** Addresses of what was started for the suite on whose behalf this one runs. */
  given?: JsonObject
  /** Gets the exports of other suites. */
  obtain: ObtainExports
  /** Asked when its tests have run: the exports that others want of it, undefined for all. */
  listWanted?: (() => Promise<readonly string[] | undefined>) | undefined
}

/** How a step is run on behalf of a test. */
export type SessionContext = Pick<StepContext, 'signal' | 'loop' | 'compareSnapshot'> & {
  /** Steps that this run is about; the others run only if one of these needs them. */
  selected?: readonly StepPlan[] | undefined
}

/** A session as those see it that get exports, run calls or publish for it. */
export type Session = {
  readonly plan: SuitePlan
  readonly links: Links
  readonly options: SessionOptions
  readonly records: StepRecords
  /** Node ids under which steps with `call` give values. */
  readonly calls: ReadonlyMap<StepPlan, string>
  /** Undefined until the first step starts. */
  readonly run: SuiteRun | undefined
  /** Addresses of what was started for it. */
  readonly given: JsonObject
  /** Opens another suite on behalf of the same test file, unreported. */
  openOther(linked: LinkedPlan, options: Pick<SessionOptions, 'prerequisites' | 'row' | 'inputs'>): Session
  /** Runs a step with all that it still needs. Run again, it starts from the state it started from before. */
  runStep(step: StepPlan, context?: SessionContext): Promise<StepOutcome[]>
  /** Runs, unreported, all steps, or those that some exports need; then the teardown. */
  runFor(wanted?: readonly string[], signal?: AbortSignal): Promise<void>
  /** Runs what must run whatever happened. Returns what failed without being reported as a test. */
  finish(): Promise<SuiteProblem[]>
  /** What failed without being reported as a test, each handed over once. */
  takeProblems(): SuiteProblem[]
}
