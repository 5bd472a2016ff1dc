import type { Check } from '../assertion/check.ts'
import { parseAssertions } from '../assertion/parse/parse-assertions.ts'
import { parseCaptures, type Capture } from '../capture/capture.ts'
import { isJsonObject, type Json, type JsonObject } from '../json.ts'
import { inside, type ParsePlace } from '../path/parse-place.ts'
import type { Position } from '../source.ts'
import { explainBadCondition, unwrapExpression } from '../interpolation/explain-bad-condition.ts'
import { explainBadPath } from '../path/compile-path.ts'

/** A condition on the response with what to do when it matches, and when it does not. */
export type Scenario = {
  /** As written: JMESPath, or JavaScript in one `{{js: …}}`. */
  condition: string
  kind: 'jmespath' | 'js'
  at: Position
  then?: Branch
  otherwise?: Branch
}

/** What a scenario adds to its step when it applies. */
export type Branch = { checks: Check[]; captures: Capture[]; variables: JsonObject }

/** Parses the value of `scenarios`, with checks and captures; what the schema has refused is left out. */
export function parseScenarios(list: readonly Json[], place: ParsePlace): Scenario[] {
  return list.flatMap((value, index) =>
    isJsonObject(value) ? parseScenario(value, inside(place, [index])) : [],
  )
}

function parseScenario(value: JsonObject, place: ParsePlace): Scenario[] {
  const { condition } = value
  const then = parseBranch(value['then'], inside(place, ['then']))
  const otherwise = parseBranch(value['else'], inside(place, ['else']))
  if (!then && !otherwise)
    place.report([], {
      code: 'missing-field',
      message: 'This scenario does nothing.',
      hint: 'Give it a `then` or an `else` with `assert`, `capture` or `variables`.',
    })
  if (typeof condition !== 'string' || condition.trim() === '') return []
  const script = unwrapExpression(condition)
  const kind = script === condition.trim() ? 'jmespath' : 'js'
  const problem =
    kind === 'js' ? explainBadCondition(script) : explainBadPath(condition, 'condition', place.kind)
  if (problem) place.report(['condition'], problem)
  if (problem && problem.severity === undefined) return []
  return [
    {
      condition: condition.trim(),
      kind,
      at: place.locate(['condition']),
      // oxlint-disable-next-line unicorn/no-thenable -- the format's own word, and never a function
      ...(then && { then }),
      ...(otherwise && { otherwise }),
    },
  ]
}

function parseBranch(value: Json | undefined, place: ParsePlace): Branch | undefined {
  if (!isJsonObject(value) || Object.keys(value).length === 0) return undefined
  const { assert, capture, variables } = value
  return {
    checks: isJsonObject(assert) ? parseAssertions(assert, inside(place, ['assert'])) : [],
    captures: isJsonObject(capture) ? parseCaptures(capture, inside(place, ['capture'])) : [],
    variables: isJsonObject(variables) ? variables : (Object.create(null) as JsonObject),
  }
}
