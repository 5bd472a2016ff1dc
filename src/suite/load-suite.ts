import { SuiteError } from '../errors.ts'
import { isJsonObject } from '../json.ts'
import type { SourceFile } from '../source.ts'
import { LoadContext, type LoadOptions } from './load-context.ts'
import { locateProblems, sortProblems, toWarning } from './locate-problems.ts'
import { planSuite } from './plan/plan-suite.ts'
import type { SuitePlan } from './plan/plan.ts'
import { readYaml, type YamlReading } from './yaml/read-yaml.ts'

/** Loads a suite file. Throws a `SuiteError` with all problems if one of them is an error; otherwise the plan has them as warnings. */
export async function loadSuite(source: SourceFile, options: LoadOptions): Promise<SuitePlan> {
  return loadReading(readYaml(source.text, options.fileSize), source, options)
}

/** Loads a suite that has already been read from YAML, or was written as data, as in TypeScript. `reading` has the data, its positions in `source` and known problems. Throws like `loadSuite`. */
export async function loadReading(
  reading: YamlReading,
  source: SourceFile,
  options: LoadOptions,
): Promise<SuitePlan> {
  const context = new LoadContext(reading, source, options)
  const { value, tree } = reading
  if (value !== undefined && !isJsonObject(value) && !tree.broken)
    context.reportAt([tree.range[0], tree.range[0] + 1], {
      code: 'not-a-map',
      message: 'Expected the file to hold a map with `suite_name` and `steps`.',
      hint: 'Write `suite_name: …` at the start of a line.',
    })
  const rewrite = options.compat ? (await import('./compat/flow-test.ts')).rewriteSuite : undefined
  const plan = isJsonObject(value) ? await planSuite(rewrite?.(value, context) ?? value, context) : undefined
  const problems = sortProblems(context.problems)
  if (!plan || context.elsewhere.length > 0 || problems.some(({ severity }) => severity === 'error'))
    throw new SuiteError(
      source.path,
      [...locateProblems(source, problems), ...context.elsewhere],
      context.files,
    )
  return { ...plan, warnings: problems.map((problem) => toWarning(problem, context.lines)) }
}
