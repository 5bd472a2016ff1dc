import { dirname, relative } from 'node:path'
import type { Problem } from '../../../src/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../src/json.ts'
import type { SourceFile } from '../../../src/source.ts'
import { loadDefinition as loadPlan } from '../../../src/suite/load-suite.ts'
import { listSteps, type StepPlan, type SuitePlan } from '../../../src/suite/plan/plan.ts'
import { findNode, type SourceNode } from '../../../src/suite/source-tree.ts'
import { pickLoadSettings } from '../../contract/load-settings.ts'
import type { WorkerOptions } from '../../contract/worker-options.ts'
import type { Call } from './find-call.ts'
import { liftDefinition, MAP_ENTRY, type LiftProblem } from './lift-definition.ts'
import { isFunctionName, type LiftedFunction } from './functions/lift-functions.ts'
import { placeDefinition } from './place-definition.ts'

/** A definition as its author handed it over: its parts, each with the call it is in. */
export type Definition = {
  call: Call
  value: object
  /** Node id unless the definition has one. */
  nodeId: string
  /** The calls that added its steps one by one. */
  calls?: readonly Call[]
}

/** A suite written in TypeScript, ready to run. */
export type LoadedDefinition = {
  plan: SuitePlan
  functions: readonly LiftedFunction[]
  /** MSW handlers, for which mocks stand in the plan. */
  handlers: readonly object[]
  source: SourceFile
  /** Absolute path of the test file. */
  path: string
}

/** Loads a definition like a suite file. Throws a `SuiteError` with everything that is wrong with it. */
export async function loadDefinition(
  definition: Definition,
  options: WorkerOptions,
): Promise<LoadedDefinition> {
  const { call } = definition
  const lifted = liftDefinition(definition.value)
  const { exports, ...rest } = isJsonObject(lifted.value) ? lifted.value : {}
  const value: JsonObject = { node_id: definition.nodeId, ...rest }
  const tree = await placeParts(value, definition)
  const source: SourceFile = {
    path: relative(options.shownFrom, call.path).replaceAll('\\', '/'),
    text: call.text,
  }
  const plan = await loadPlan(value, {
    source,
    tree,
    problems: [...lifted.problems, ...refuseExports(exports)].map((problem) => placeProblem(problem, tree)),
    options: {
      folder: dirname(call.path),
      ...pickLoadSettings(options, { ...options.env, ...process.env }),
    },
  })
  for (const step of listSteps(plan)) openMaps(plan, step)
  plan.foreign = plan.foreign.filter(({ root }) => !isFunctionName(root))
  const { functions, handlers } = lifted
  return { plan, functions, handlers, source, path: call.path }
}

async function placeParts(value: JsonObject, { call, calls }: Definition): Promise<SourceNode> {
  const tree = await placeDefinition(value, call)
  if (!calls) return tree
  const steps = value['steps'] as Json[]
  const list = tree.children?.get('steps')
  const children = new Map(list?.children)
  const first = steps.length - calls.length
  for (const [index, own] of calls.entries())
    children.set(first + index, await placeDefinition(steps[first + index] as Json, own))
  const placed: SourceNode = { range: tree.range, ...list, children }
  return { ...tree, children: new Map([...(tree.children ?? []), ['steps', placed]]) }
}

/** Suites in YAML are linked before a test file runs. */
function refuseExports(exports: Json | undefined): LiftProblem[] {
  if (exports === undefined || (Array.isArray(exports) && exports.length === 0)) return []
  return [
    {
      path: ['exports'],
      message: 'A suite in TypeScript cannot export: no other suite can read what it captures.',
      hint: 'Write the suite in YAML; suites in TypeScript read its exports as `{{node_id.name}}`.',
    },
  ]
}

function placeProblem({ path, ...problem }: LiftProblem, tree: SourceNode): Problem {
  const node = findNode(tree, path)
  const holder = findNode(tree, path.slice(0, -1))
  // What was refused is not missing, too, and a map of nothing else not empty.
  if (node !== holder || path.length === 0) node.broken = true
  if (holder.children?.values().every(({ broken }) => broken)) holder.broken = true
  return { ...problem, code: 'bad-value', severity: 'error', range: node.range }
}

/** A map that a function gives was loaded as a map with one entry: from here on the entry's expression stands for it. */
function openMaps({ templates }: SuitePlan, step: StepPlan): void {
  const request = step.request as JsonObject | undefined
  for (const [key, map] of Object.entries(request ?? {})) {
    if (!request || !isJsonObject(map) || !Object.hasOwn(map, MAP_ENTRY)) continue
    const pointer = `${step.pointer}/request/${key}`
    request[key] = map[MAP_ENTRY] as Json
    templates[pointer] = templates[`${pointer}/${MAP_ENTRY}`] ?? []
  }
}
