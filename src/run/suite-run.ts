import { resolveVariables, type ResolvedVariables } from '../interpolation/variables/variables.ts'
import type { FakerSource } from '../interpolation/faker.ts'
import type { Scope } from '../interpolation/variables/scope.ts'
import { readOwn, type Json, type JsonObject } from '../json.ts'
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
  /** Variables that could not be filled in, with the reason. */
  broken: Map<string, string>
  captures: JsonObject
  /** Values of other suites: node id → exported values. */
  exports: Record<string, JsonObject>
  /** Values the runner itself gives, such as `app_url`. */
  given: JsonObject
  /** Variables that a step should have captured and did not, with that step's name and line. */
  missing: Map<string, string>
  /** Variables that a step gives which was left out on purpose, or in a branch that was not taken, with that in words; a default helps. */
  uncaptured: Map<string, string>
  /** What the suite's own `skip` says, decided before its first step. */
  leftOut?: SkipDecision
  /** Why all further steps are skipped. */
  stopped?: string
  jar?: CookieJar
  /** Variables of the step that runs, nearer than all others. */
  local?: JsonObject
}

/** What a run starts with beside the plan. */
export type RunInput = {
  faker?: FakerSource | undefined
  row?: JsonObject | undefined
  given?: JsonObject | undefined
  exports?: Record<string, JsonObject> | undefined
  inputs?: JsonObject | undefined
}

/** Starts a run: fills in the suite's variables once; those that cannot be filled in fail the steps that read them. */
export async function startSuiteRun(
  plan: SuitePlan,
  environment: RunEnvironment,
  input: RunInput = {},
): Promise<SuiteRun> {
  const run: SuiteRun = {
    plan,
    environment,
    row: input.row ?? Object.create(null),
    variables: Object.create(null),
    broken: new Map(),
    captures: Object.assign(Object.create(null), input.inputs),
    exports: input.exports ?? Object.create(null),
    given: input.given ?? Object.create(null),
    missing: new Map(),
    uncaptured: new Map(),
    faker: input.faker,
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
  for (const { code, path, message } of run.resolved.problems)
    if (code !== 'unresolved') run.broken.set(String(path[0]), message)
}

/** The values a step sees, nearest first: captures, loop variable, row, suite variables, plugin variables, what the runner gives, exports. */
export function createScope(run: SuiteRun, loop: JsonObject = EMPTY): Scope {
  const { engine, env, settings } = run.environment
  const { faker } = run
  const shared = run.plan.rules.sharesExports ? Object.values(run.exports) : []
  return {
    layers: [
      ...(run.local ? [run.local] : []),
      run.captures,
      loop,
      run.row,
      run.variables,
      settings.variables,
      run.given,
      ...shared,
    ],
    exports: run.exports,
    env,
    engine,
    maxLength: settings.interpolationLimit,
    faker,
  }
}

const EMPTY: JsonObject = Object.freeze(Object.create(null))

/** All variables a step can see, other suites' exports as `<node_id>.<name>`, without the process environment. */
export function listVisible(run: SuiteRun, loop: JsonObject = EMPTY): JsonObject {
  const visible: JsonObject = Object.create(null)
  for (const [nodeId, values] of Object.entries(run.exports))
    for (const name of Object.keys(values)) visible[`${nodeId}.${name}`] = readOwn(values, name) as Json
  return Object.assign(
    visible,
    run.given,
    run.environment.settings.variables,
    run.variables,
    run.row,
    loop,
    run.captures,
    run.local,
  )
}
