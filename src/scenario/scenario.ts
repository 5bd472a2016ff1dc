import { unwrapExpression } from '../assertion/parse/parse-custom.ts'
import type { AssertionOptions } from '../assertion/parse/parse-state.ts'
import { showValue } from '../text/show-value.ts'
import { hasMisspelt, report, reportUnknownKeys, type Reporting } from '../assertion/parse/report-problem.ts'
import { isJsonObject, type Json } from '../json.ts'
import type { Locate, NodePath, Problem } from '../problem.ts'
import type { Position } from '../source.ts'
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

const KEYS = ['name', 'condition', 'then', 'else']

type State = Reporting & { scenarios: Scenario[]; locate: Locate; options: AssertionOptions }

/** Turns the value of `scenarios` into scenarios, with their checks and captures, and finds everything wrong with it. */
export function parseScenarios(
  tree: Json,
  locate: Locate,
  options: AssertionOptions = {},
): { scenarios: Scenario[]; problems: Problem[] } {
  const state: State = { scenarios: [], problems: [], locate, options }
  if (!Array.isArray(tree) || tree.length === 0)
    report(state, [], {
      code: 'bad-value',
      message: `Expected \`scenarios\` to be a list of {condition, then, else}, got ${showValue(tree)}.`,
      hint: 'Start each scenario with a hyphen: `- condition: …`, or leave `scenarios` out.',
    })
  else for (const [index, value] of tree.entries()) parseScenario(state, value, [index])
  return { scenarios: state.scenarios, problems: state.problems }
}

function parseScenario(state: State, value: Json, at: NodePath): void {
  if (!isJsonObject(value))
    return report(state, at, {
      code: 'bad-value',
      message: `Expected a scenario {condition, then, else}, got ${showValue(value)}.`,
    })
  reportUnknownKeys(state, value, { at, known: KEYS, owner: 'a scenario' })
  const { name, condition } = value
  if (name !== undefined && typeof name !== 'string')
    report(state, [...at, 'name'], {
      code: 'bad-value',
      message: `Expected \`name\` of a scenario to be text, got ${showValue(name)}.`,
    })
  const then = parseBranch(state, value, [...at, 'then'])
  const otherwise = parseBranch(state, value, [...at, 'else'])
  const branches = ['then', 'else']
  if (!branches.some((key) => Object.hasOwn(value, key) || hasMisspelt(state, value, { key, known: KEYS })))
    report(state, at, {
      code: 'missing-field',
      message: 'This scenario does nothing.',
      hint: 'Give it a `then` or an `else` with `assert`, `capture` or `variables`.',
    })
  if (condition === undefined && hasMisspelt(state, value, { key: 'condition', known: KEYS })) return
  const kind = readKind(state, condition, at)
  if (kind === undefined) return
  state.scenarios.push({
    ...(typeof name === 'string' && { name }),
    condition: (condition as string).trim(),
    kind,
    at: state.locate([...at, 'condition']),
    // oxlint-disable-next-line unicorn/no-thenable -- the format's own word, and never a function
    ...(then && { then }),
    ...(otherwise && { otherwise }),
  })
}

function readKind(state: State, condition: Json | undefined, at: NodePath): Scenario['kind'] | undefined {
  const place = [...at, 'condition']
  if (typeof condition !== 'string' || condition.trim() === '') {
    const got = condition === undefined ? 'it is missing' : `got ${showValue(condition)}`
    report(state, condition === undefined ? at : place, {
      code: condition === undefined ? 'missing-field' : 'bad-value',
      message: `Expected \`condition\` of a scenario to be a JMESPath condition or \`{{js: …}}\` in quotes, ${got}.`,
      hint: 'For example `condition: status_code == 200`.',
    })
    return undefined
  }
  const kind = unwrapExpression(condition) === condition.trim() ? 'jmespath' : 'js'
  const problem = findConditionProblem(condition, kind, state.options)
  if (problem) report(state, place, problem)
  return problem && problem.severity === undefined ? undefined : kind
}
