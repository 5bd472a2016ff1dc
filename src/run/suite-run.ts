import type { Schemas } from '../assertion/json-schema/load-schemas.ts'
import { resolveVariables, type ResolvedVariables } from '../interpolation/variables/variables.ts'
import type { FakerSource } from '../interpolation/faker.ts'
import type { Scope } from '../interpolation/variables/scope.ts'
import { makeMap, type Json, type JsonObject } from '../json.ts'
import { readBodyFile } from '../request/build/body-files.ts'
import { createCookieJar, type CookieJar } from '../request/cookies.ts'
import { rememberObjects } from '../remember.ts'
import { listProvided, listSteps, type SuitePlan } from '../suite/plan/plan.ts'
import type { RunEnvironment } from './environment.ts'
import type { SkipDecision } from './step-outcome.ts'

/** One run of a suite (or of one row of its `each`): everything its steps share. */
export type SuiteRun = {
  plan: SuitePlan
  environment: RunEnvironment
  /** Its row of `each`, or the inputs of a call. */
  row: JsonObject
  /** Suite variables with their `{{…}}` filled in. */
  variables: JsonObject
  /** How far the suite variables are filled in. Some may wait for a capture. */
  resolved?: ResolvedVariables | undefined
  faker?: FakerSource | undefined
  captures: JsonObject
  /** Exports of other suites: node id → values. */
  exports: Record<string, JsonObject>
  /** Values the runner provides, such as `app_url`. */
  given: JsonObject
  /** Why variables, and exports as `<node_id>.<name>`, have no value. */
  absent: Map<string, Absence>
  /** The decision on the suite's own `skip`, made before its first step. */
  leftOut?: SkipDecision | undefined
  /** Why all further steps are skipped, if they are. */
  stopped?: string | undefined
  jar?: CookieJar
  /** The first cookie that a response set, if there is no jar. */
  unkept?: string | undefined
  /** The schemas of all `schema` checks, loaded with the first response. */
  schemas?: Promise<Schemas | undefined>
}

/** The step that should have provided a variable, and what happened, in words. `isSoft`: on purpose (step left out or branch not taken), so that a default applies. */
export type Absence = { provider: string; why: string; isSoft?: true }

export type RunInput = { [Key in 'faker' | 'row' | 'given' | 'exports']?: SuiteRun[Key] | undefined }

/** Starts a run and fills in the suite's variables; invalid ones fail the steps that read them. */
export function startSuiteRun(
  plan: SuitePlan,
  environment: RunEnvironment,
  { faker, row, given, exports }: RunInput = {},
): SuiteRun {
  const run: SuiteRun = {
    plan,
    environment,
    row: row ?? Object.create(null),
    variables: Object.create(null),
    captures: Object.create(null),
    exports: exports ?? Object.create(null),
    given: given ?? Object.create(null),
    absent: new Map(),
    faker,
    ...(plan.cookies && { jar: createCookieJar() }),
  }
  resolveSuiteVariables(run)
  return run
}

/** Fills in the suite variables as far as possible now; those that wait for a capture are retried before each step. */
export function resolveSuiteVariables(run: SuiteRun): void {
  const { plan, resolved } = run
  if (resolved && !resolved.problems.some(({ code }) => code === 'unresolved')) return
  // `resolveVariables` finds the layer of the suite variables by the identity of this object.
  run.variables = plan.variables
  const scope = createScope(run)
  const known = [...scope.layers, run.exports]
  const isAwaited = (name: string): boolean =>
    listAllProvided(plan).has(name) && !known.some((layer) => Object.hasOwn(layer, name))
  const exports = addCalls(run, Object.values(plan.calls ?? {}))
  run.resolved = resolveVariables(plan.variables, { ...scope, exports, isAwaited }, resolved)
  run.variables = run.resolved.values
}

/** Returns a function that takes back what is decided about a run, and filled in for it, from now on. */
export function markRun(run: SuiteRun): () => void {
  const { resolved, variables, leftOut } = run
  return () => void Object.assign(run, { resolved, variables, leftOut })
}

const listAllProvided = rememberObjects(
  (plan: SuitePlan) => new Set(listSteps(plan).flatMap((step) => listProvided(step, plan.calls))),
)

/** Exports, with an empty map for calls that gave none, so that a default applies: `{{users.id ?? 0}}`. */
function addCalls({ exports }: SuiteRun, nodeIds: readonly string[]): SuiteRun['exports'] {
  const nothing = nodeIds.map((nodeId) => [nodeId, {}] as const)
  return nothing.length === 0 ? exports : Object.assign(makeMap(nothing), exports)
}

/** The values a step sees, nearest first: its own variables, captures, loop variable, row, suite variables, plugin variables, values of the runner, exports. */
export function createScope(run: SuiteRun, loop?: JsonObject, local?: JsonObject): Scope {
  const { engine, env, settings } = run.environment
  const { captures, row, variables, given, exports, faker } = run
  const near = [local, captures, loop].filter((layer) => layer !== undefined)
  const shared = run.plan.isLenient ? Object.values(exports) : []
  const passed = Object.values(run.plan.calls ?? {}).filter((nodeId) => run.absent.has(nodeId))
  return {
    layers: [...near, row, variables, settings.variables, given, ...shared],
    exports: addCalls(run, passed),
    env,
    engine,
    maxLength: settings.limits.interpolation,
    faker,
  }
}

type Visible = { run: SuiteRun; loop?: JsonObject | undefined; local?: JsonObject | undefined }

/** All visible variables, including other suites' exports as `<node_id>.<name>`, without the process environment. */
export function listVisible({ run, loop, local }: Visible): JsonObject {
  const { exports, given, environment, variables, row, captures } = run
  const exported = Object.entries(exports).flatMap(([nodeId, values]) =>
    Object.entries(values).map(([name, value]) => [`${nodeId}.${name}`, value] as const),
  )
  const { variables: plugins } = environment.settings
  return Object.assign(makeMap(exported), given, plugins, variables, row, loop, captures, local)
}

/** Reads a file for the body of a request or mock. `written` is what its author wrote; names elsewhere come from values. */
export function readSentFile(
  { plan, environment: { settings } }: SuiteRun,
  name: string,
  written: Json,
): Promise<Uint8Array> {
  const { files: folders, limits } = settings
  return readBodyFile(name, { folder: plan.folder, written, folders, limit: limits.body })
}

export function describeSuite(run: SuiteRun): JsonObject {
  const { nodeId, name, file } = run.plan
  return { suite: { node_id: nodeId, name, file }, variables: listVisible({ run }) }
}
