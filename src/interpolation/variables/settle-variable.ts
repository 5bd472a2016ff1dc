import type { Json, JsonObject } from '../../json.ts'
import { InterpolationError } from '../errors.ts'
import { interpolate } from '../interpolate.ts'
import { gaps, type Scope } from './scope.ts'
import { pruneValue, type VariableNode } from './variable-graph.ts'
import { showCycle } from '../../text/show-value.ts'

/** What is wrong with a variable; `path` leads to its text, `offset` to the place in that text. */
export type VariableProblem = {
  /** `cycle`: it needs itself. `failed`: its expression failed. `unresolved`: it names something unknown so far. */
  code: 'cycle' | 'failed' | 'unresolved'
  message: string
  path: readonly (string | number)[]
  offset: number
}

/** `settled` for good; `unsettled`: needs a name that does not exist yet; `failed`: has a problem, or needs what has. */
export type VariableState = 'open' | 'settled' | 'unsettled' | 'failed'

/** One walk through all variables. */
export type VariableRun = {
  states: Map<VariableNode, VariableState>
  problems: VariableProblem[]
  /** True for a name that something wins which is not a variable: then the variable is not what is read. */
  isShadowed(root: string): boolean
  /** Finds the value of a text whose needs have theirs. */
  fillIn(node: VariableNode, text: string): VariableState
}

/** Variables that need one another in turn. */
const longestChain = 1000

/** Finds the value of one text after those it needs, depth first; `chain` holds the nodes that need it. */
export function settleVariable(
  node: VariableNode,
  run: VariableRun,
  chain: VariableNode[] = [],
): VariableState {
  const known = run.states.get(node)
  if (known !== undefined && known !== 'open') return known
  if (known === 'open') return failCycle(node, chain, run)
  if (chain.length >= longestChain) return failChain(node, run)
  run.states.set(node, 'open')
  chain.push(node)
  let state: VariableState = 'settled'
  for (const need of node.needs)
    if (need.root === undefined || !run.isShadowed(need.root))
      state = worse(state, settleVariable(need.node, run, chain))
  chain.pop()
  if (node.text !== undefined && state !== 'failed') state = worse(state, run.fillIn(node, node.text))
  run.states.set(node, state)
  return state
}

function worse(one: VariableState, other: VariableState): VariableState {
  const order: VariableState[] = ['settled', 'unsettled', 'failed']
  return order[Math.max(order.indexOf(one), order.indexOf(other))] as VariableState
}

function failCycle(node: VariableNode, chain: readonly VariableNode[], run: VariableRun): 'failed' {
  const cycle = chain.slice(chain.indexOf(node))
  const names = cycle.map(({ path }) => path.join('.') || 'variables')
  const message = `These variables form a cycle: ${showCycle(names)}`
  const text = cycle.find((one) => one.text !== undefined) ?? node
  run.problems.push({ code: 'cycle', message, path: text.path, offset: text.references[0]?.offset ?? 0 })
  return 'failed'
}

function failChain({ path }: VariableNode, run: VariableRun): 'failed' {
  const message = `Expected at most ${longestChain} variables that need one another in turn, got more at \`${path.join('.')}\``
  run.problems.push({ code: 'failed', message, path, offset: 0 })
  return 'failed'
}

/** Where values come from, and where they go: `values` is a copy of `variables` that is filled in. */
export type Filling = {
  scope: Scope
  variables: JsonObject
  values: JsonObject
  problems: VariableProblem[]
}

/** Fills in the templates of one text. */
export function fillIn(node: VariableNode, text: string, filling: Filling): VariableState {
  const { values, problems } = filling
  try {
    const { value, unresolved } = interpolate(text, narrowScope(node, filling))
    writeAt(values, node.path, unresolved.length > 0 ? undefined : value)
    for (const { offset, cause } of unresolved) {
      problems.push({ code: 'unresolved', message: cause, path: node.path, offset })
      noteGap(values, node.path, cause)
    }
    return unresolved.length > 0 ? 'unsettled' : 'settled'
  } catch (error) {
    if (!(error instanceof InterpolationError)) throw error
    const message = `The variable \`${node.path.join('.')}\` failed. ${error.message}`
    problems.push({ code: 'failed', message, path: node.path, offset: error.offset })
    return 'failed'
  }
}

/** The scope for one text: of the variables it holds what the text reads and nothing that is not known yet. */
function narrowScope(node: VariableNode, { scope, variables, values }: Filling): Scope {
  const isRead = node.references.some(({ kind }) => kind === 'expression')
  const layer = isRead ? narrowValues(node, values) : values
  const at = scope.layers.indexOf(variables)
  const layers = at === -1 ? [layer, ...scope.layers] : scope.layers.with(at, layer)
  return { ...scope, layers }
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
export function readAt(values: JsonObject, path: readonly (string | number)[]): Json {
  let at: Json = values
  for (const key of path) at = (at as JsonObject)[key] as Json
  return at
}

function writeAt(values: JsonObject, path: readonly (string | number)[], value: Json | undefined): void {
  const holder = readAt(values, path.slice(0, -1)) as JsonObject
  // The holder is a copy that has the key already, so this meets an own property even when it is `__proto__`.
  holder[path.at(-1) as string] = value as Json
}

/** Notes why a text has no value, at all that holds it. */
function noteGap(values: JsonObject, path: readonly (string | number)[], cause: string): void {
  for (const [depth, key] of path.entries()) {
    const holder = readAt(values, path.slice(0, depth)) as JsonObject
    gaps.set(holder, (gaps.get(holder) ?? new Map<string, string>()).set(String(key), cause))
  }
}
