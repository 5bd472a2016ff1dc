import type { Json, JsonObject } from '../../json.ts'
import { InterpolationError } from '../errors.ts'
import { interpolate } from '../interpolate.ts'
import type { Scope } from './scope.ts'
import { pruneValue } from './variable-graph.ts'
import type { VariableNode } from './variable-graph.ts'

/** What is wrong with a variable; `path` leads to its text, `offset` to the place in that text. */
export type VariableProblem = {
  /** `cycle`: it needs itself. `failed`: its expression failed. `unresolved`: it names something unknown so far. */
  code: 'cycle' | 'failed' | 'unresolved'
  message: string
  path: readonly (string | number)[]
  offset: number
  nearest?: string
}

/** `settled` for good; `unsettled`: needs a name that does not exist yet; `failed`: has a problem, or needs what has. */
export type VariableState = 'open' | 'settled' | 'unsettled' | 'failed'

/** One resolution of all variables. `values` is filled in as it goes. */
export type VariableRun = {
  scope: Scope
  variables: JsonObject
  values: JsonObject
  states: Map<VariableNode, VariableState>
  settled: Map<VariableNode, Json>
  problems: VariableProblem[]
}

type Visit = { node: VariableNode; next: number; state: VariableState }

/** Finds the value of one text after those it needs, depth first and without recursion: chains may be long. */
export function settleVariable(start: VariableNode, run: VariableRun): void {
  if (run.states.has(start)) return
  const stack: Visit[] = []
  enter(start, stack, run)
  for (let at = stack.at(-1); at; at = stack.at(-1)) {
    const need = at.node.needs[at.next]
    at.next += 1
    if (!need) {
      stack.pop()
      leave(at, run)
      const above = stack.at(-1)
      if (above) above.state = worse(above.state, at.state)
    } else if (need.root === undefined || !isShadowed(need.root, run)) {
      const state = run.states.get(need.node)
      if (state === undefined) enter(need.node, stack, run)
      else if (state === 'open') failCycle(need.node, stack, run)
      else at.state = worse(at.state, state)
    }
  }
}

function enter(node: VariableNode, stack: Visit[], run: VariableRun): void {
  run.states.set(node, 'open')
  stack.push({ node, next: 0, state: 'settled' })
}

function leave(visit: Visit, run: VariableRun): void {
  if (visit.node.text !== undefined && visit.state !== 'failed') {
    visit.state = worse(visit.state, fillIn(visit.node, visit.node.text, run))
    if (visit.state === 'settled') run.settled.set(visit.node, readAt(run.values, visit.node.path))
  }
  run.states.set(visit.node, visit.state)
}

function worse(one: VariableState, other: VariableState): VariableState {
  const order: VariableState[] = ['settled', 'unsettled', 'failed']
  return order[Math.max(order.indexOf(one), order.indexOf(other))] as VariableState
}

function failCycle(node: VariableNode, stack: Visit[], run: VariableRun): void {
  const cycle = stack.slice(stack.findIndex((visit) => visit.node === node))
  for (const visit of cycle) visit.state = 'failed'
  const names = cycle.map((visit) => visit.node.path.join('.') || 'variables')
  const shown = names.length > 12 ? [...names.slice(0, 6), '…', ...names.slice(-5)] : names
  const message = `Expected variables not to need themselves, got ${[...shown, names[0]].join(' → ')}`
  const text = cycle.find((visit) => visit.node.text !== undefined)?.node ?? node
  run.problems.push({ code: 'cycle', message, path: text.path, offset: text.references[0]?.offset ?? 0 })
}

/** True when a layer that wins over the variables has the name: then the variable is not what is read. */
function isShadowed(root: string, { scope, variables }: VariableRun): boolean {
  const above = scope.layers.slice(0, Math.max(0, scope.layers.indexOf(variables)))
  return above.some((layer) => Object.hasOwn(layer, root))
}

function fillIn(node: VariableNode, text: string, run: VariableRun): VariableState {
  try {
    const { value, unresolved } = interpolate(text, narrowScope(node, run))
    writeAt(run.values, node.path, value)
    for (const { expression, offset, nearest } of unresolved) {
      const hint = nearest === undefined ? '' : `, did you mean \`${nearest}\`?`
      const message = `\`${expression}\` names nothing that is known here${hint}`
      run.problems.push({
        code: 'unresolved',
        message,
        path: node.path,
        offset,
        ...(nearest === undefined ? {} : { nearest }),
      })
    }
    return unresolved.length > 0 ? 'unsettled' : 'settled'
  } catch (error) {
    if (!(error instanceof InterpolationError)) throw error
    const message = `The variable \`${node.path.join('.')}\` failed. ${error.message}`
    run.problems.push({ code: 'failed', message, path: node.path, offset: error.offset })
    return 'failed'
  }
}

/** The scope for one text: of the variables it holds what the text reads and nothing that is not known yet. */
function narrowScope(node: VariableNode, { scope, variables, values }: VariableRun): Scope {
  const isRead = node.references.some(({ kind }) => kind === 'expression')
  const layer = isRead ? narrowValues(node, values) : values
  const at = scope.layers.indexOf(variables)
  const layers = at === -1 ? [layer, ...scope.layers] : scope.layers.with(at, layer)
  return { ...scope, layers }
}

function narrowValues(node: VariableNode, values: JsonObject): JsonObject {
  const paths = new Map<string, (readonly (string | number)[])[]>()
  for (const { root, path } of node.references) paths.set(root, [...(paths.get(root) ?? []), path])
  const layer = Object.create(null) as JsonObject
  for (const [root, read] of paths) {
    if (Object.hasOwn(values, root)) layer[root] = pruneValue(values[root] as Json, read)
  }
  return layer
}

function readAt(values: JsonObject, path: readonly (string | number)[]): Json {
  let at: Json = values
  for (const key of path) at = (at as JsonObject)[key] as Json
  return at
}

function writeAt(values: JsonObject, path: readonly (string | number)[], value: Json): void {
  const holder = readAt(values, path.slice(0, -1)) as JsonObject
  // The holder is a copy that has the key already, so this meets an own property even when it is `__proto__`.
  holder[path.at(-1) as string] = value
}
