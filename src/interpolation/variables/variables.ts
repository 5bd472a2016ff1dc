import type { Json, JsonObject } from '../../json.ts'
import { rememberObjects } from '../../remember.ts'
import { showCycle } from '../../text/show-value.ts'
import { InterpolationError } from '../errors.ts'
import { interpolate } from '../interpolate.ts'
import { gaps, type Scope } from './scope.ts'
import { buildVariableGraph, pruneValue, type VariableNode } from './variable-graph.ts'

/** What is wrong with a variable; `path` leads to its text, `offset` to the place in that text. */
export type VariableProblem = {
  /** `cycle`: it needs itself. `failed`: its expression failed. `unresolved`: it names something unknown so far. */
  code: 'cycle' | 'failed' | 'unresolved'
  message: string
  path: readonly (string | number)[]
  offset: number
}

/** Variables with their templates filled in; texts that failed stay as written, those that wait for a value are `undefined`. */
export type ResolvedVariables = { values: JsonObject; problems: readonly VariableProblem[] }

type Settled = ReadonlyMap<VariableNode, Json>

const settledOf = new WeakMap<ResolvedVariables, Settled>()
const readGraph = rememberObjects(buildVariableGraph)

/**
 * Fills in variables that may refer to each other in any order; cycles are problems. The layer of `scope` that is this
 * very object is where they are among the others (before all of them when none is). Only texts in `variables` are
 * templates. Given a `previous` result, texts that were settled then keep their value (generated data stays the same)
 * and only the others are tried again, for instance once a capture exists.
 */
export function resolveVariables(
  variables: JsonObject,
  scope: Scope,
  previous?: ResolvedVariables,
): ResolvedVariables {
  const graph = readGraph(variables)
  if (!graph.root) return { values: variables, problems: [] }
  const settled = new Map(previous && settledOf.get(previous))
  const values = copyContainer(graph.root, settled) as JsonObject
  const above = scope.layers.slice(0, Math.max(0, scope.layers.indexOf(variables)))
  const run: Run = {
    states: new Map([...settled.keys()].map((node) => [node, 'settled'])),
    problems: [],
    isShadowed: (root) => above.some((layer) => Object.hasOwn(layer, root)),
    fillIn: (node, text) => fillIn(node, text, { scope, variables, values, problems: run.problems }),
  }
  for (const text of graph.texts) settle(text, run)
  for (const [node, state] of run.states)
    if (node.text !== undefined && state === 'settled') settled.set(node, readAt(values, node.path))
  const result = { values, problems: run.problems }
  settledOf.set(result, settled)
  return result
}

/** The variables that need one another in a cycle; `shadowed` names are read from elsewhere. */
export function findCycles(variables: JsonObject, shadowed: ReadonlySet<string>): VariableProblem[] {
  const isShadowed = (root: string): boolean => shadowed.has(root)
  const run: Run = { states: new Map(), problems: [], isShadowed, fillIn: () => 'settled' }
  for (const text of readGraph(variables).texts) settle(text, run)
  return run.problems.filter(({ code }) => code === 'cycle')
}

/** Copies the lists and objects that hold templates; what is settled is put in at once. */
function copyContainer(node: VariableNode, settled: Settled): Json {
  if (node.text !== undefined) return settled.get(node) ?? node.text
  const copy = Array.isArray(node.source) ? [...node.source] : { ...(node.source as JsonObject) }
  for (const [key, child] of node.children) (copy as JsonObject)[key] = copyContainer(child, settled)
  return copy
}

/** `settled` for good; `unsettled`: needs a name that does not exist yet; `failed`: has a problem, or needs what has. */
type State = 'open' | 'settled' | 'unsettled' | 'failed'

/** One walk through all variables. */
type Run = {
  states: Map<VariableNode, State>
  problems: VariableProblem[]
  /** True for a name that something wins which is not a variable: then the variable is not what is read. */
  isShadowed(root: string): boolean
  /** Finds the value of a text whose needs have theirs. */
  fillIn(node: VariableNode, text: string): State
}

/** Variables that need one another in turn. */
const longestChain = 1000

/** Finds the value of one text after those it needs, depth first; `chain` holds the nodes that need it. */
function settle(node: VariableNode, run: Run, chain: VariableNode[] = []): State {
  const { states, problems } = run
  const fail = (message: string, offset = 0): 'failed' => {
    problems.push({ code: 'failed', message, path: node.path, offset })
    return 'failed'
  }
  const known = states.get(node)
  if (known === 'open') return failCycle(node, chain, problems)
  if (known !== undefined) return known
  if (chain.length >= longestChain)
    return fail(
      `Expected at most ${longestChain} variables that need one another in turn, got more at \`${node.path.join('.')}\``,
    )
  states.set(node, 'open')
  chain.push(node)
  let state: State = node.error
    ? fail(`${node.error.message}. ${node.error.hint}`, node.error.offset)
    : 'settled'
  for (const need of node.needs)
    if (need.root === undefined || !run.isShadowed(need.root))
      state = worse(state, settle(need.node, run, chain))
  chain.pop()
  if (node.text !== undefined && state !== 'failed') state = worse(state, run.fillIn(node, node.text))
  states.set(node, state)
  return state
}

function worse(one: State, other: State): State {
  if (one === 'failed' || other === 'failed') return 'failed'
  return one === 'settled' ? other : one
}

function failCycle(
  node: VariableNode,
  chain: readonly VariableNode[],
  problems: VariableProblem[],
): 'failed' {
  const cycle = chain.slice(chain.indexOf(node))
  const names = cycle.map(({ path }) => path.join('.') || 'variables')
  const { path, references } = cycle.find((one) => one.text !== undefined) ?? node
  const message = `These variables form a cycle: ${showCycle(names)}`
  problems.push({ code: 'cycle', message, path, offset: references[0]?.offset ?? 0 })
  return 'failed'
}

/** Where values come from, and where they go: `values` is a copy of `variables` that is filled in. */
type Filling = {
  scope: Scope
  variables: JsonObject
  values: JsonObject
  problems: VariableProblem[]
}

/** Fills in the templates of one text. */
function fillIn(node: VariableNode, text: string, { scope, variables, values, problems }: Filling): State {
  const { path } = node
  // What expressions read of the variables is cut out: they see nothing that is not known yet.
  const isRead = node.references.some(({ kind }) => kind === 'expression')
  const layer = isRead ? narrowValues(node, values) : values
  const at = scope.layers.indexOf(variables)
  const layers = at === -1 ? [layer, ...scope.layers] : scope.layers.with(at, layer)
  try {
    const { value, unresolved } = interpolate(text, { ...scope, layers })
    const isWhole = unresolved.length === 0
    // The holder is a copy that has the key already, so this meets an own property even when it is `__proto__`.
    const holder = readAt(values, path.slice(0, -1)) as JsonObject
    holder[path.at(-1) as string] = isWhole ? value : (undefined as unknown as Json)
    for (const { offset, cause } of unresolved) {
      problems.push({ code: 'unresolved', message: cause, path, offset })
      noteGap(values, path, cause)
    }
    return isWhole ? 'settled' : 'unsettled'
  } catch (error) {
    if (!(error instanceof InterpolationError)) throw error
    const message = `The variable \`${path.join('.')}\` failed. ${error.message}`
    problems.push({ code: 'failed', message, path, offset: error.offset })
    return 'failed'
  }
}

function narrowValues(node: VariableNode, values: JsonObject): JsonObject {
  const layer = Object.create(null) as JsonObject
  for (const [root, references] of Map.groupBy(node.references, (reference) => reference.root)) {
    const paths = references.map(({ path }) => path)
    if (Object.hasOwn(values, root)) layer[root] = pruneValue(values[root] as Json, paths)
  }
  return layer
}

/** The value at a path of the variables. */
function readAt(values: JsonObject, path: readonly (string | number)[]): Json {
  let at: Json = values
  for (const key of path) at = (at as JsonObject)[key] as Json
  return at
}

/** Notes why a text has no value, at all that holds it. */
function noteGap(values: JsonObject, path: readonly (string | number)[], cause: string): void {
  for (const [depth, key] of path.entries()) {
    const holder = readAt(values, path.slice(0, depth)) as JsonObject
    gaps.set(holder, (gaps.get(holder) ?? new Map<string, string>()).set(String(key), cause))
  }
}
