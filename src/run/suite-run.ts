import type { Schemas } from '../assertion/json-schema/load-schemas.ts'
import { resolveVariables, type ResolvedVariables } from '../interpolation/variables/variables.ts'
import type { FakerSource } from '../interpolation/faker.ts'
import type { Scope } from '../interpolation/variables/scope.ts'
import { makeMap, type JsonObject } from '../json.ts'
import { createCookieJar, type CookieJar } from '../request/cookies.ts'
import type { SuitePlan } from '../suite/plan/plan.ts'
import type { RunEnvironment } from './environment.ts'
import type { SkipDecision } from './step-outcome.ts'

/** One run of one suite (or of one row of its `each`): all that its steps share. */
export type SuiteRun = {
  plan: SuitePlan
  environment: RunEnvironment
  row: JsonObject
  /** Suite variables with their `{{…}}` filled in. */
  variables: JsonObject
  /** How far the suite variables are filled in: some wait for a capture. */
  resolved?: ResolvedVariables
  faker?: FakerSource | undefined
  captures: JsonObject
  /** Values of other suites: node id → exported values. */
  exports: Record<string, JsonObject>
  /** Values the runner itself gives, such as `app_url`. */
  given: JsonObject
  /** Variables, and exports as `<node_id>.<name>`, that have no value, and why. */
  absent: Map<string, Absence>
  /** What the suite's own `skip` says, decided before its first step. */
  leftOut?: SkipDecision
  /** Why all further steps are skipped. */
  stopped?: string | undefined
  jar?: CookieJar
  /** What `schema` checks judge by: loaded for the first answer, of all steps. */
  schemas?: Promise<Schemas | undefined>
}

/** Who should have given a variable, and what became of that, in words; a default helps where the step was left out on purpose, or a branch with it was not taken. */
export type Absence = { giver: string; why: string; isSoft?: true }

/** What a run starts with beside the plan. */
export type RunInput = Pick<SuiteRun, 'faker'> & {
  row?: JsonObject | undefined
  given?: JsonObject | undefined
  exports?: Record<string, JsonObject> | undefined
  inputs?: JsonObject | undefined
}

/** Starts a run: fills in the suite's variables once; those that cannot be filled in fail the steps that read them. */
export function startSuiteRun(
  plan: SuitePlan,
  environment: RunEnvironment,
  { faker, row, given, exports, inputs }: RunInput = {},
): SuiteRun {
  const run: SuiteRun = {
    plan,
    environment,
    row: row ?? Object.create(null),
    variables: Object.create(null),
    captures: Object.assign(Object.create(null), inputs),
    exports: exports ?? Object.create(null),
    given: given ?? Object.create(null),
    absent: new Map(),
    faker,
    ...(plan.cookies && { jar: createCookieJar() }),
  }
  resolveSuiteVariables(run)
  return run
}

/** Fills in the suite variables as far as possible by now; those that wait for a capture are tried again before each step. */
export function resolveSuiteVariables(run: SuiteRun): void {
  const { plan, resolved } = run
  if (resolved && !resolved.problems.some(({ code }) => code === 'unresolved')) return
  // Where the suite variables are among the layers is found by the identity of the author's own object.
  run.variables = plan.variables
  run.resolved = resolveVariables(plan.variables, createScope(run), resolved)
  run.variables = run.resolved.values
}

/** The values a step sees, nearest first: its own variables, captures, loop variable, row, suite variables, plugin variables, what the runner gives, exports. */
export function createScope(run: SuiteRun, loop?: JsonObject, local?: JsonObject): Scope {
  const { engine, env, settings } = run.environment
  const { captures, row, variables, given, exports, faker } = run
  const near = [local, captures, loop].filter((layer) => layer !== undefined)
  const shared = run.plan.isLenient ? Object.values(exports) : []
  return {
    layers: [...near, row, variables, settings.variables, given, ...shared],
    exports,
    env,
    engine,
    maxLength: settings.interpolationLimit,
    faker,
  }
}

/** Values of suites by their node ids, as `<node_id>.<name>`. */
function nameExports(exports: SuiteRun['exports']): JsonObject {
  const list = Object.entries(exports).flatMap(([nodeId, values]) =>
    Object.entries(values).map(([name, value]) => [`${nodeId}.${name}`, value] as const),
  )
  return makeMap(list)
}

/** A run, and what a step of it sees beside what all do. */
type Visible = { run: SuiteRun; loop?: JsonObject | undefined; local?: JsonObject | undefined }

/** All variables that can be seen, other suites' exports as `<node_id>.<name>`, without the process environment. */
export function listVisible({ run, loop, local }: Visible): JsonObject {
  const { exports, given, environment, variables, row, captures } = run
  const visible = nameExports(exports)
  return Object.assign(visible, given, environment.settings.variables, variables, row, loop, captures, local)
}
