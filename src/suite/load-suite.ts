import { SuiteError, type LocatedProblem, type Problem } from '../errors.ts'
import { drawCodeFrame } from '../code-frame.ts'
import { isJsonObject, type JsonObject } from '../json.ts'
import { indexLines, positionAt, type LineIndex, type SourceFile } from '../source.ts'
import { createContext, type LoadContext, type LoadOptions } from './load-context.ts'
import { planSuite } from './plan/plan-suite.ts'
import type { PlanWarning, SuitePlan } from './plan/plan.ts'
import { readYaml } from './yaml/read-yaml.ts'
import type { SourceNode } from './source-tree.ts'

const MAX_MESSAGE = 800

/**
 * Loads one suite file: YAML, schema, expressions, static checks. All problems are collected; if one of
 * them is an error a `SuiteError` with every problem is thrown, otherwise warnings are kept in the plan.
 */
export async function loadSuite(source: SourceFile, options: LoadOptions): Promise<SuitePlan> {
  const reading = readYaml(source.text, options.limits)
  const context = createContext({ source, reading, options })
  const { value, tree } = reading
  if (value !== undefined && !isJsonObject(value) && !tree.broken)
    context.problems.push({
      code: 'not-a-map',
      severity: 'error',
      message: 'Expected the file to hold a map with `suite_name` and `steps`.',
      hint: 'Write `suite_name: …` at the start of a line.',
      range: [tree.range[0], tree.range[0] + 1],
    })
  return finishLoad(isJsonObject(value) ? await planSuite(value, context) : undefined, context)
}

/** Loads a suite that was written as data, such as in TypeScript; `tree` says where its parts stand in `source`, `problems` what is known to be wrong with it. Throws like `loadSuite`. */
export async function loadDefinition(
  value: JsonObject,
  place: { source: SourceFile; tree: SourceNode; problems: Problem[]; options: LoadOptions },
): Promise<SuitePlan> {
  const { source, tree, problems, options } = place
  const context = createContext({ source, reading: { value, tree, problems }, options })
  return finishLoad(await planSuite(value, context), context)
}

function finishLoad(plan: SuitePlan | undefined, { source, lines, problems: found }: LoadContext): SuitePlan {
  const problems = sortProblems(found)
  // Beside errors, hints on style only distract: a capture may be unread because its reader is broken.
  if (!plan || problems.some(({ severity }) => severity === 'error'))
    throw createSuiteError(
      source,
      problems.filter(({ severity }) => severity !== 'info'),
    )
  return { ...plan, warnings: problems.map((problem) => toWarning(problem, lines)) }
}

/** Turns problems of a file into the error that prints them with their code frames. */
export function createSuiteError(source: SourceFile, problems: readonly Problem[]): SuiteError {
  const lines = indexLines(source.text)
  const located = problems.map((problem): LocatedProblem => {
    const [line, column] = positionAt(lines, problem.range[0])
    return {
      ...problem,
      message: cut(problem.message),
      location: { file: source.path, line, column },
      frame: drawCodeFrame(source.text, problem.range, lines),
    }
  })
  return new SuiteError(source.path, located)
}

/** A message is for reading, whatever it quotes. */
function cut(message: string): string {
  return message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE - 1)}…` : message
}

/** In the order of the file; what several aliases of one anchor repeat is said once. */
function sortProblems(problems: readonly Problem[]): Problem[] {
  const seen = new Set<string>()
  return problems
    .toSorted((a, b) => a.range[0] - b.range[0])
    .filter(({ range, code, message }) => {
      const key = `${range[0]}:${code}:${message.replaceAll(/\[\d+\]/g, '[]')}`
      return !seen.has(key) && seen.add(key)
    })
}

/** A warning as results carry it. */
export function toWarning(problem: Problem, lines: LineIndex): PlanWarning {
  const [line, column] = positionAt(lines, problem.range[0])
  const hint = problem.hint ? ` ${problem.hint}` : ''
  return { message: `${problem.message}${hint}`, line, column, problem }
}
