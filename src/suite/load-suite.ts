import { SuiteError, type Problem } from '../errors.ts'
import { isJsonObject, type JsonObject } from '../json.ts'
import type { SourceFile } from '../source.ts'
import { createContext, type LoadContext, type LoadOptions } from './load-context.ts'
import { locateProblems, sortProblems, toWarning } from './locate-problems.ts'
import { planSuite } from './plan/plan-suite.ts'
import type { SuitePlan } from './plan/plan.ts'
import { readYaml } from './yaml/read-yaml.ts'
import type { SourceNode } from './source-tree.ts'

/**
 * Loads one suite file: YAML, schema, expressions, static checks. All problems are collected; if one of
 * them is an error a `SuiteError` with every problem is thrown, otherwise warnings are kept in the plan.
 */
export async function loadSuite(source: SourceFile, options: LoadOptions): Promise<SuitePlan> {
  const reading = readYaml(source.text, options.fileSize)
  const context = createContext({ source, reading, options })
  const { value, tree } = reading
  if (value !== undefined && !isJsonObject(value) && !tree.broken)
    context.reportAt([tree.range[0], tree.range[0] + 1], {
      code: 'not-a-map',
      message: 'Expected the file to hold a map with `suite_name` and `steps`.',
      hint: 'Write `suite_name: …` at the start of a line.',
    })
  return finishLoad(isJsonObject(value) ? await makePlan(value, context) : undefined, context)
}

/** Loads a suite that was written as data, such as in TypeScript; `tree` says where its parts are in `source`, `problems` what is known to be wrong with it. Throws like `loadSuite`. */
export async function loadDefinition(
  value: JsonObject,
  place: { source: SourceFile; tree: SourceNode; problems: Problem[]; options: LoadOptions },
): Promise<SuitePlan> {
  const { source, tree, problems, options } = place
  const context = createContext({ source, reading: { value, tree, problems }, options })
  return finishLoad(await makePlan(value, context), context)
}

async function makePlan(value: JsonObject, context: LoadContext): Promise<SuitePlan> {
  if (!context.options.compat) return planSuite(value, context)
  const { rewriteSuite } = await import('./compat/flow-test.ts')
  return planSuite(rewriteSuite(value, context), context)
}

function finishLoad(plan: SuitePlan | undefined, context: LoadContext): SuitePlan {
  const { source, lines, elsewhere } = context
  const problems = sortProblems(context.problems)
  if (!plan || elsewhere.length > 0 || problems.some(({ severity }) => severity === 'error'))
    throw new SuiteError(source.path, [...locateProblems(source, problems), ...elsewhere], context.files)
  return { ...plan, warnings: problems.map((problem) => toWarning(problem, lines)) }
}
