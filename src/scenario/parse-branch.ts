import type { Check } from '../assertion/check.ts'
import { parseAssertions } from '../assertion/parse/parse-assertions.ts'
import type { AssertionOptions } from '../assertion/parse/parse-state.ts'
import type { Reporting } from '../assertion/parse/report-problem.ts'
import { parseCaptures, type Capture } from '../capture/capture.ts'
import { isJsonObject, type Json, type JsonObject } from '../json.ts'
import type { Locate, NodePath, Problem } from '../problem.ts'

/** What a scenario adds to its step when it applies. */
export type Branch = { checks: Check[]; captures: Capture[]; variables: JsonObject }

type State = Reporting & { locate: Locate; options: AssertionOptions }

/** Parses the `then` or `else` of a scenario, `at` its key; undefined when it is not there or does nothing. */
export function parseBranch(state: State, value: Json | undefined, at: NodePath): Branch | undefined {
  if (!isJsonObject(value) || Object.keys(value).length === 0) return undefined
  const branch: Branch = { checks: [], captures: [], variables: Object.create(null) as JsonObject }
  const { assert, capture, variables } = value
  if (isJsonObject(assert))
    branch.checks = parsePart(state, [...at, 'assert'], (locate) =>
      parseAssertions(assert, locate, state.options),
    ).checks
  if (isJsonObject(capture))
    branch.captures = parsePart(state, [...at, 'capture'], (locate) =>
      parseCaptures(capture, locate, state.options),
    ).captures
  if (isJsonObject(variables)) branch.variables = variables
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
