import { dirname } from 'node:path'
import { SuiteError, type Problem } from '../../../src/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../src/json.ts'
import { loadReading } from '../../../src/suite/load-suite.ts'
import { createSuiteError } from '../../../src/suite/locate-problems.ts'
import { findNode, type SourceNode } from '../../../src/suite/source-tree.ts'
import { showValue } from '../../../src/text/show-value.ts'
import type { LoadedSuite } from '../../contract/linking/suite-lookup.ts'
import { readExtension } from '../../contract/read-extension.ts'
import { pickLoadSettings, type WorkerOptions } from '../../contract/worker-options.ts'
import { loadExtension } from '../extension/load-extension.ts'
import { isFunctionName } from './functions/lift-functions.ts'
import { DefinitionLifter, type LiftProblem } from './lift-definition.ts'
import { chooseNodeId, placeDefinition, type Call } from './place-definition.ts'
import { vi } from './running-vitest.ts'
import { relativePath } from '../../../src/resolve-path.ts'

/** A suite defined in a test file. It is a copy, which later changes to the author's object do not affect. */
export class Definition {
  readonly call: Call
  readonly value: JsonObject
  readonly lifter: DefinitionLifter = new DefinitionLifter()
  /** The calls that added steps one by one, by index of the step. */
  readonly stepCalls = new Map<number, Call>()
  /** True once its tests are being declared, and no step can be added. */
  isClosed = false

  /** Takes a definition, which may be anything, from its call. Throws if it cannot be a suite at all. */
  constructor(call: Call, written: unknown) {
    if (typeof written !== 'object' || written === null || Array.isArray(written))
      throw new TypeError(
        `Expected a suite to be an object with \`suite_name\` and \`steps\`, got ${showValue(written as Json)}.`,
      )
    const value = this.lifter.lift(written)
    this.call = call
    this.value = { node_id: chooseNodeId(call.file), ...(isJsonObject(value) && value) }
  }

  addStep(call: Call, step: unknown): void {
    if (this.isClosed)
      throw new Error(
        'A step was added to a suite whose tests have already been declared: add it while the file is being loaded.',
      )
    const steps = (this.value['steps'] ??= [])
    // If it is not a list, that is reported with the other mistakes when the suite is loaded.
    if (!Array.isArray(steps)) return
    this.stepCalls.set(steps.length, call)
    steps.push(this.lifter.lift(step, ['steps', steps.length]) ?? null)
  }
}

/** Loads a definition like a suite file. Rejects with a `SuiteError` that lists all mistakes. */
export async function loadDefinition(definition: Definition, options: WorkerOptions): Promise<LoadedSuite> {
  const { file } = definition.call
  const source = { path: relativePath(options.shownFrom, file.path), text: file.text }
  await useExtension(options, source.path)
  const { exports, ...value } = definition.value
  const problems = [...definition.lifter.problems]
  // Suites in YAML are linked before any test file runs.
  if (exports !== undefined)
    problems.push({
      path: ['exports'],
      message: 'A suite in TypeScript cannot have `exports`: no other suite can read what it captures.',
      hint: 'Write the suite in YAML; suites in TypeScript read its exports as `{{node_id.name}}`.',
    })
  const tree = await placeDefinition(value, definition)
  const reading = { value, tree, problems: problems.map((problem) => placeProblem(problem, tree)) }
  const plan = await loadReading(reading, source, {
    folder: dirname(file.path),
    ...pickLoadSettings(options, options.env),
  })
  plan.foreign = plan.foreign.filter(({ root }) => !isFunctionName(root))
  return { plan, source }
}

/** The module of the option `extend`, loaded once per worker, since all suites share its hooks. */
let extended: Promise<void> | undefined

/** Registers what the module of the option `extend` has, for a suite in `file`. Rejects with a `SuiteError` of all its mistakes. */
async function useExtension(options: WorkerOptions, file: string): Promise<void> {
  const { extend: path, shownFrom } = options
  if (path === undefined) return
  const shown = relativePath(shownFrom, path)
  extended ??= readExtension(path, shown).then(() =>
    loadExtension(() => vi.importActual(path), { ...options, path }),
  )
  await extended.catch((error: Error) => {
    const problem = { code: 'bad-value', severity: 'error', message: error.message, range: [0, 1] } as const
    const { problems } =
      error instanceof SuiteError ? error : createSuiteError({ path: shown, text: '' }, [problem])
    throw new SuiteError(file, problems)
  })
}

function placeProblem({ path, ...problem }: LiftProblem, tree: SourceNode): Problem {
  const node = findNode(tree, path)
  const holder = findNode(tree, path.slice(0, -1))
  // A refused part must not be reported as missing too, nor a map of refused parts as empty.
  if (node !== holder || path.length === 0) node.broken = true
  if (holder.children?.values().every(({ broken }) => broken)) holder.broken = true
  return { ...problem, code: 'bad-value', severity: 'error', range: node.range }
}
