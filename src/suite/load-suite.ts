import { drawCodeFrame } from '../code-frame.ts'
import { SuiteError, type LocatedProblem, type Problem } from '../errors.ts'
import { isJsonObject, type JsonObject } from '../json.ts'
import { indexLines, positionAt, type SourceFile } from '../source.ts'
import { checkFlow } from './check-flow.ts'
import { collectTemplates } from './collect-templates.ts'
import { describeIssue } from './describe-issue.ts'
import { createContext, type LoadContext, type LoadOptions } from './load-context.ts'
import { planMocks } from './plan-mocks.ts'
import { planSteps } from './plan-steps.ts'
import type { SuitePlan } from './plan.ts'
import { readRows } from './read-rows.ts'
import { readYaml } from './read-yaml.ts'
import { findIssues, type SuiteInput } from './schema.ts'
import type { SourceNode } from './source-tree.ts'
import { defaultNodeId } from './suite-index.ts'

/** Names of values that the runner gives to a suite that reads them. */
const GIVEN = ['app_url', 'echo_url']

/**
 * Loads one suite file: YAML, schema, expressions, static checks. All problems are collected; if one of
 * them is an error a `SuiteError` with every problem is thrown, otherwise warnings are kept in the plan.
 */
export async function loadSuite(source: SourceFile, options: LoadOptions): Promise<SuitePlan> {
  const reading = readYaml(source.text, options.limits)
  const context = createContext({ source, reading, options })
  const { value, tree } = reading
  if (value !== undefined && !isJsonObject(value))
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

function finishLoad(plan: SuitePlan | undefined, { source, problems: found }: LoadContext): SuitePlan {
  const problems = sortProblems(found)
  if (!plan || problems.some((problem) => problem.severity === 'error'))
    throw createSuiteError(source, problems)
  return { ...plan, warnings: problems.map((problem) => toWarning(source, problem)) }
}

/** Turns problems of a file into the error that prints them with their code frames. */
export function createSuiteError(source: SourceFile, problems: readonly Problem[]): SuiteError {
  const lines = indexLines(source.text)
  const located = problems.map((problem): LocatedProblem => {
    const [line, column] = positionAt(lines, problem.range[0])
    return {
      ...problem,
      location: { file: source.path, line, column },
      frame: drawCodeFrame(source.text, problem.range, lines),
    }
  })
  return new SuiteError(source.path, located)
}

async function planSuite(value: JsonObject, context: LoadContext): Promise<SuitePlan> {
  for (const issue of findIssues(value)) context.problems.push(describeIssue(issue, context.tree))
  const templates = collectTemplates(value, context)
  const input = value as unknown as SuiteInput
  const rows =
    isJsonObject(value['each']) || Array.isArray(value['each'])
      ? await readRows(input.each, context)
      : undefined
  const plan: SuitePlan = {
    file: context.source.path,
    folder: context.options.folder,
    nodeId: typeof value['node_id'] === 'string' ? value['node_id'] : defaultNodeId(context.source.path),
    name: String(value['suite_name'] ?? ''),
    priority: input.metadata?.priority ?? 'medium',
    tags: Array.isArray(input.metadata?.tags) ? input.metadata.tags : [],
    variables: isJsonObject(value['variables']) ? value['variables'] : Object.create(null),
    exports: listOfTexts(value['exports']),
    depends: listOfTexts(value['depends']),
    foreign: [],
    env: [...new Set(templates.references.filter(({ kind }) => kind === 'env').map(({ root }) => root))],
    usesFaker: templates.references.some(({ kind }) => kind === 'faker'),
    usesGiven: GIVEN.filter((name) => templates.references.some(({ root }) => root === name)),
    cookies: value['cookies'] === true,
    insecure: value['insecure'] === true,
    redact: listOfTexts(value['redact']),
    mocks: planMocks(input.mocks, ['mocks'], context),
    setup: planSteps('setup', value, context),
    steps: planSteps('step', value, context),
    teardown: planSteps('teardown', value, context),
    at: context.locate(['suite_name']),
    templates: templates.positions,
    warnings: [],
    files: context.files,
    ...optionalFields(input),
    ...(rows && { each: rows }),
  }
  checkFlow(plan, { context, references: templates.references })
  return plan
}

function optionalFields(input: SuiteInput): Partial<SuitePlan> {
  return {
    ...(input.description !== undefined && { description: input.description }),
    ...(input.base_url !== undefined && { baseUrl: input.base_url }),
    ...(input.timeout !== undefined && { timeout: input.timeout }),
    ...(input.follow_redirects !== undefined && { followRedirects: input.follow_redirects }),
    ...(input.on_failure !== undefined && { onFailure: input.on_failure }),
    ...(input.clock !== undefined && { clock: input.clock }),
  }
}

function listOfTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

function sortProblems(problems: readonly Problem[]): Problem[] {
  const seen = new Set<string>()
  return problems
    .toSorted((a, b) => a.range[0] - b.range[0])
    .filter((problem) => {
      const key = `${problem.range[0]}:${problem.message}`
      return !seen.has(key) && seen.add(key)
    })
}

function toWarning(source: SourceFile, problem: Problem): { message: string; line: number; column: number } {
  const [line, column] = positionAt(indexLines(source.text), problem.range[0])
  const hint = problem.hint ? ` ${problem.hint}` : ''
  return { message: `${problem.message}${hint}`, line, column }
}
