import type { Check } from '../assertion/check.ts'
import { parseAssertions } from '../assertion/parse/parse-assertions.ts'
import type { AssertionOptions } from '../assertion/parse/parse-state.ts'
import { report, reportUnknownKeys, type Reporting } from '../assertion/parse/report-problem.ts'
import { showValue } from '../text/show-value.ts'
import { parseCaptures, type Capture } from '../capture/capture.ts'
import { isJsonObject, type Json, type JsonObject } from '../json.ts'
import type { Locate, NodePath, Problem } from '../problem.ts'

/** What a scenario adds to its step when it applies. */
export type Branch = { checks: Check[]; captures: Capture[]; variables: JsonObject }

const KEYS = ['assert', 'capture', 'variables']

type State = Reporting & { locate: Locate; options: AssertionOptions }

/** Parses the `then` or `else` of a scenario, `at` its key; undefined when it is not there or does nothing. */
export function parseBranch(state: State, scenario: JsonObject, at: NodePath): Branch | undefined {
  const key = at.at(-1) as string
  if (!Object.hasOwn(scenario, key)) return undefined
  const value = scenario[key] as Json
  if (!isJsonObject(value) || Object.keys(value).length === 0) {
    report(state, at, {
      code: 'bad-value',
      message: `Expected \`${key}\` of a scenario to be a map with ${KEYS.join(', ')}, got ${showValue(value)}.`,
    })
    return undefined
  }
  reportUnknownKeys(state, value, { at, known: KEYS, owner: `\`${key}\`` })
  const branch: Branch = { checks: [], captures: [], variables: Object.create(null) as JsonObject }
  const { assert, capture, variables } = value
  if (assert !== undefined)
    branch.checks = parsePart(state, [...at, 'assert'], (locate) =>
      parseAssertions(assert, locate, state.options),
    ).checks
  if (capture !== undefined)
    branch.captures = parsePart(state, [...at, 'capture'], (locate) =>
      parseCaptures(capture, locate, state.options),
    ).captures
  if (isJsonObject(variables)) branch.variables = variables
  else if (variables !== undefined)
    report(state, [...at, 'variables'], {
      code: 'bad-value',
      message: `Expected \`variables\` of a scenario to be a map of names to values, got ${showValue(variables)}.`,
    })
  return branch
}

function parsePart<Parsed extends { problems: Problem[] }>(
  state: State,
  at: NodePath,
  parse: (locate: Locate) => Parsed,
): Parsed {
  const parsed = parse((path) => state.locate([...at, ...path]))
  for (const problem of parsed.problems) state.problems.push({ ...problem, path: [...at, ...problem.path] })
  return parsed
}
