import { printJson } from '../src/json.ts'
import {
  addMapping,
  GenMapping,
  setSourceContent,
  toEncodedMap,
  type EncodedSourceMap,
} from '@jridgewell/gen-mapping'
import type { Position } from '../src/source.ts'
import { listSteps, type SuitePlan } from '../src/suite/plan.ts'
import { nameSuite, nameTests } from './name-tests.ts'
import type { Options } from './options.ts'
import { createNameRedactor } from './suite-redactor.ts'

/** A generated test module. */
export type TransformResult = { code: string; map: EncodedSourceMap }

/** What the generated module needs beside the plan. */
export type TransformInput = {
  plan: SuitePlan
  /** Absolute path of the suite file, as the source map names it. */
  path: string
  source: string
  /** Id the runtime is imported by. */
  runtime: string
  /** Node id → id of the module that exports that suite's plan. */
  plans: ReadonlyMap<string, string>
  /** The option of that name: names of variables whose values no test name shows. */
  redact?: Options['redact'] | undefined
  /** Id of the module that starts the application under test, if there is one. */
  app?: string
}

/**
 * Turns a loaded suite into its test module: an import, the plan as data, one `describe` per row and one `test` per
 * step or known iteration, whose source-map position is the step's name in the YAML file. No logic is generated, and
 * the calls have the form that Vitest's own static collection (`vitest list`, editors) reads.
 */
export function transformSuite(input: TransformInput): TransformResult {
  const { plan, path, source } = input
  const map = new GenMapping({ file: path })
  setSourceContent(map, path, source)
  const lines: string[] = []
  const emit = (text: string, at?: Position): void => {
    lines.push(text)
    if (!at) return
    const generated = { line: lines.length, column: text.search(/\S/) }
    addMapping(map, { generated, source: path, original: { line: at[0], column: at[1] - 1 } })
  }
  emit(`import { openSuite } from ${JSON.stringify(input.runtime)}`)
  emit(`const describe = openSuite(${printJson(plan)}, ${printLinks(input)})`)
  const redactor = createNameRedactor(plan, input.redact)
  for (const [index, row] of (plan.each ?? [undefined]).entries()) {
    const naming = { redactor, row, index }
    emit(
      `describe(${quote(nameSuite(plan, naming))}, { ${printFlags({ row: index, tags: plan.tags })} }, (test) => {`,
      plan.at,
    )
    for (const [place, step] of listSteps(plan).entries())
      for (const [iteration, { name, loop }] of nameTests(plan, step, naming).entries()) {
        const flags = printFlags({
          step: place,
          ...(loop && { iteration }),
          ...(step.only && { only: true }),
        })
        // In parentheses a function is compiled with its module, not by itself when it is first called.
        emit(`  test(${quote(name)}, { ${flags} }, ((run) => run()))`, step.at)
      }
    emit('})', plan.at)
  }
  return { code: `${lines.join('\n')}\n`, map: toEncodedMap(map) }
}

function printFlags(flags: Record<string, unknown>): string {
  return Object.entries(flags)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(', ')
}

/** A text as a literal. Static collection shows what stands between the quotes, so escapes are avoided where possible. */
function quote(text: string): string {
  const json = JSON.stringify(text)
  if (json.length === text.length + 2) return json
  if (!/['\\\n\r]/.test(text) && json.replaceAll('\\"', '"').length === text.length + 2) return `'${text}'`
  return json
}

/** Imports that only the test module itself can make, because they go through Vitest's module graph. */
function printLinks({ plans, app }: Pick<TransformInput, 'plans' | 'app'>): string {
  const entries = [...plans].map(
    ([nodeId, id]) => `${JSON.stringify(nodeId)}: () => import(${JSON.stringify(id)})`,
  )
  const appLink = app ? `, app: () => import(${JSON.stringify(app)})` : ''
  return `{ import: (id) => import(/* @vite-ignore */ id), plans: { ${entries.join(', ')} }${appLink} }`
}

/** The module that only carries a suite's plan, for suites that read its exports or call it. */
export function transformPlan(input: Pick<TransformInput, 'plan' | 'plans' | 'app'>): string {
  return [
    `const plan = ${printJson(input.plan)}`,
    `export default { plan, links: ${printLinks(input)} }`,
    '',
  ].join('\n')
}
