import type { Json, JsonObject } from '../../json.ts'
import { fillIn, readAt, settleVariable } from './settle-variable.ts'
import type { VariableProblem, VariableRun } from './settle-variable.ts'
import type { Scope } from './scope.ts'
import { rememberObjects } from '../../remember.ts'
import { buildVariableGraph, type VariableNode } from './variable-graph.ts'

/** Variables with their templates filled in; texts that failed stay as written, those that wait for a value are `undefined`. */
export type ResolvedVariables = { values: JsonObject; problems: readonly VariableProblem[] }

type Settled = ReadonlyMap<VariableNode, Json>

const settledOf = new WeakMap<ResolvedVariables, Settled>()

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
  const run: VariableRun = {
    states: new Map([...settled.keys()].map((node) => [node, 'settled'])),
    problems: [],
    isShadowed: (root) => above.some((layer) => Object.hasOwn(layer, root)),
    fillIn: (node, text) => fillIn(node, text, { scope, variables, values, problems: run.problems }),
  }
  for (const { node, error } of graph.errors) {
    run.states.set(node, 'failed')
    run.problems.push({
      code: 'failed',
      message: `${error.message}. ${error.hint}`,
      path: node.path,
      offset: error.offset,
    })
  }
  for (const text of graph.texts) settleVariable(text, run)
  for (const [node, state] of run.states)
    if (node.text !== undefined && state === 'settled') settled.set(node, readAt(values, node.path))
  const result = { values, problems: run.problems }
  settledOf.set(result, settled)
  return result
}

/** The variables that need one another in a cycle; `shadowed` names are read from elsewhere. */
export function findCycles(variables: JsonObject, shadowed: ReadonlySet<string>): VariableProblem[] {
  const run: VariableRun = {
    states: new Map(),
    problems: [],
    isShadowed: (root) => shadowed.has(root),
    fillIn: () => 'settled',
  }
  for (const text of readGraph(variables).texts) settleVariable(text, run)
  return run.problems.filter(({ code }) => code === 'cycle')
}

const readGraph = rememberObjects(buildVariableGraph)

/** Copies the lists and objects that hold templates; what is settled is put in at once. */
function copyContainer(node: VariableNode, settled: Settled): Json {
  if (node.text !== undefined) return settled.get(node) ?? node.text
  const copy = Array.isArray(node.source) ? [...node.source] : { ...(node.source as JsonObject) }
  for (const [key, child] of node.children) (copy as JsonObject)[key] = copyContainer(child, settled)
  return copy
}
