import { unwrapExpression } from '../assertion/parse/parse-custom.ts'
import type { AssertionOptions } from '../assertion/parse/parse-state.ts'
import { report, type Reporting } from '../assertion/parse/report-problem.ts'
import { isJsonObject, type Json, type JsonObject } from '../json.ts'
import type { Locate, NodePath, Problem } from '../problem.ts'
import type { Position } from '../source.ts'
import { suggestName } from '../text/suggest.ts'
import { findConditionProblem } from './find-condition-problem.ts'
import { parseBranch, type Branch } from './parse-branch.ts'

/** A condition on the response with what to do when it matches, and when it does not. */
export type Scenario = {
  name?: string
  /** As written: JMESPath, or JavaScript in one `{{js: …}}`. */
  condition: string
  kind: 'jmespath' | 'js'
  at: Position
  then?: Branch
  /** The author's `else`. */
  otherwise?: Branch
}

type State = Reporting & { scenarios: Scenario[]; locate: Locate; options: AssertionOptions }

/** Turns the value of `scenarios` into scenarios, with their checks and captures; what the schema has refused is left out. */
export function parseScenarios(
  tree: Json,
  locate: Locate,
  options: AssertionOptions = {},
): { scenarios: Scenario[]; problems: Problem[] } {
  const state: State = { scenarios: [], problems: [], locate, options }
  for (const [index, value] of (Array.isArray(tree) ? tree : []).entries())
    if (isJsonObject(value)) parseScenario(state, value, [index])
  return { scenarios: state.scenarios, problems: state.problems }
}

function parseScenario(state: State, value: JsonObject, at: NodePath): void {
  const { name, condition } = value
  const then = parseBranch(state, value['then'], [...at, 'then'])
  const otherwise = parseBranch(state, value['else'], [...at, 'else'])
  if (!then && !otherwise && !Object.keys(value).some(isMisspelt))
    report(state, at, {
      code: 'missing-field',
      message: 'This scenario does nothing.',
      hint: 'Give it a `then` or an `else` with `assert`, `capture` or `variables`.',
    })
  if (typeof condition !== 'string' || condition.trim() === '') return
  const kind = unwrapExpression(condition) === condition.trim() ? 'jmespath' : 'js'
  const problem = findConditionProblem(condition, kind, state.options)
  if (problem) report(state, [...at, 'condition'], problem)
  if (problem && problem.severity === undefined) return
  state.scenarios.push({
    ...(typeof name === 'string' && { name }),
    condition: condition.trim(),
    kind,
    at: state.locate([...at, 'condition']),
    // oxlint-disable-next-line unicorn/no-thenable -- the format's own word, and never a function
    ...(then && { then }),
    ...(otherwise && { otherwise }),
  })
}

/** What is misspelt is said already. */
function isMisspelt(key: string): boolean {
  const known = ['name', 'condition', 'then', 'else']
  return !known.includes(key) && ['then', 'else'].includes(suggestName(key, known) ?? '')
}
