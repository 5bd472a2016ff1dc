import { readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { afterAll, describe, expect, inject, vi } from 'vitest'
import { isJsonObject, type JsonObject } from '../src/json.ts'
import { indexLines } from '../src/source.ts'
import { listStaticLoops } from '../src/run/loops.ts'
import { loadDefinition } from '../src/suite/load-suite.ts'
import { listSteps, type SuitePlan } from '../src/suite/plan.ts'
import { liftFunctions, type Lifted } from './define/lift-functions.ts'
import { placeDefinition } from './define/place-definition.ts'
import type { SuiteDefinition } from './define/definition.ts'
import type { LinkedPlan, Links } from './links.ts'
import type { ImportModule } from './messages.ts'
import { sendMessage } from './send-message.ts'
import { nameSuite, nameTests } from './name-tests.ts'
import { resolveOptions } from './options.ts'
import type { WorkerOptions } from './project.ts'
import { ReportedSuite } from './reported-suite.ts'
import { chooseTest } from './runtime.ts'

export type { Json, JsonObject } from '../src/json.ts'
export type { ResultStatus, StepResult, SuiteResult } from '../src/run/result.ts'
export type { StepInput as Step, SuiteInput as Suite } from '../src/suite/schema.ts'
export type { Computed, StepDefinition, StepValues, SuiteDefinition } from './define/definition.ts'

/**
 * Registers a suite in a test file: the same describe block and tests as the same suite in YAML. Conditions, captures
 * and values of requests may be functions, a body assertion a Standard Schema. Failures point at the lines of the call.
 * A suite with mistakes fails the file with a `SuiteError` that lists them all.
 */
export function defineSuite<const Variables extends JsonObject = JsonObject>(
  definition: SuiteDefinition<Variables>,
): void {
  const lifted = liftFunctions(definition)
  const name = isJsonObject(lifted.value) ? String(lifted.value['suite_name'] ?? '') : ''
  const call = findCall(new Error('where defineSuite was called'))
  const options = inject('suitecase') ?? { ...resolveOptions(), env: {}, root: process.cwd(), key: '' }
  describe(name, { concurrent: false, shuffle: false }, async () => {
    const plan = await planDefinition(lifted, call, options)
    const links = await findLinks(plan, options)
    if (plan.each)
      for (const [index, row] of plan.each.entries())
        describe(nameSuite(plan, row, index), () => register({ row, index }))
    else register({})
    function register(row: { row?: JsonObject; index?: number }): void {
      registerSteps({ plan, links, options, functions: lifted.functions, ...row })
    }
  })
}

type Call = { path: string; text: string; offset: number }

/** Where in the test file the call stands, from the stack. */
function findCall(error: Error): Call {
  const path = expect.getState().testPath ?? ''
  const frame = error.stack?.split('\n').find((line) => line.includes(path))
  const [, line = '1', column = '1'] = /:(\d+):(\d+)\)?$/.exec(frame ?? '') ?? []
  const text = readFileSync(path, 'utf8')
  const start = indexLines(text)[Number(line) - 1] ?? 0
  return { path, text, offset: start + Number(column) - 1 }
}

async function planDefinition(lifted: Lifted, call: Call, options: WorkerOptions): Promise<SuitePlan> {
  if (!isJsonObject(lifted.value))
    throw new TypeError('Expected defineSuite to be given an object with `suite_name` and `steps`.')
  const source = { path: relative(options.root, call.path).replaceAll('\\', '/'), text: call.text }
  return loadDefinition(lifted.value, {
    source,
    tree: placeDefinition(lifted.value, call.text, call.offset),
    options: {
      folder: dirname(call.path),
      variables: Object.keys(options.variables),
      compat: options.compat !== undefined,
    },
  })
}

/** Imports through Vitest, which gives a test file no `import` of its own to hand on. */
const importModule: ImportModule = (id) => vi.importActual(id)

async function findLinks(plan: SuitePlan, options: WorkerOptions): Promise<Links> {
  const { app } = options
  const links: Links = { import: importModule, plans: {} }
  if (app !== undefined) links.app = () => vi.importActual(resolve(options.root, app))
  const called = listSteps(plan).flatMap((step) => (step.call ? [step.call.suite] : []))
  for (const reference of new Set([...plan.depends, ...called, ...plan.foreign.map(({ root }) => root)])) {
    const id = await sendMessage(importModule, { kind: 'find', reference, folder: plan.folder })
    if (typeof id === 'string') links.plans[reference] = () => vi.importActual<{ default: LinkedPlan }>(id)
    else if (plan.depends.includes(reference) || called.includes(reference))
      throw new Error(`${plan.file}: no suite has the node id \`${reference}\`.`)
  }
  return links
}

function registerSteps(input: ConstructorParameters<typeof ReportedSuite>[0]): void {
  const { plan, links, row } = input
  const suite = new ReportedSuite(input)
  const declareTest = chooseTest(plan, links)
  for (const step of listSteps(plan))
    for (const [iteration, { name, loop: known }] of nameTests(plan, step, row).entries()) {
      const loop = known && listStaticLoops(plan, step)?.[iteration]
      const flags = { concurrent: false, timeout: 0, tags: plan.tags, ...(step.only && { only: true }) }
      declareTest(name, flags, ({ task, signal, skip, annotate }) =>
        suite.run(step, { context: { task, signal, skip, annotate }, ...(loop && { loop }) }),
      )
    }
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads the fixtures a hook uses from this pattern
  afterAll(({}, { meta, file }) => suite.finish(meta, file.filepath), 0)
}
