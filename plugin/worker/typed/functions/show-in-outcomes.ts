import type { Json, JsonObject } from '../../../../src/json.ts'
import type { StepResult } from '../../../../src/run/result.ts'
import type { StepOutcome } from '../../../../src/run/step-outcome.ts'
import { showFunctions, type LiftedFunction } from './lift-functions.ts'

/** Puts the text of functions into results and failures, which name the expressions that call them. */
export function showInOutcomes(
  outcomes: StepOutcome[],
  functions: readonly LiftedFunction[] = [],
): StepOutcome[] {
  if (functions.length === 0) return outcomes
  const show = (text: string): string => showFunctions(text, functions)
  return outcomes.map(({ result, failures, ...outcome }) => ({
    ...outcome,
    result: {
      ...showInResult(result, show),
      ...(result.status === 'failure' && {
        available_variables: showInVariables(result.available_variables, functions),
      }),
    },
    failures: failures.map((failure) => ({ ...failure, message: show(failure.message) })),
  }))
}

/** Puts the text of functions into variables that got no value: they are still as they are written, all of it a call. */
export function showInVariables(
  variables: JsonObject,
  functions: readonly LiftedFunction[] = [],
): JsonObject {
  if (functions.length === 0) return variables
  const show = (text: string): string =>
    text.startsWith('{{__suitecase_function_') ? showFunctions(text, functions) : text
  return showIn(variables, show) as JsonObject
}

type Show = (text: string) => string

/** Where a result names expressions; `*` is each item of a list. */
const PLACES: readonly (readonly string[])[] = [
  ['error_message'],
  ['skip_reason'],
  ['assertions_results', '*', 'field'],
  ['assertions_results', '*', 'expected'],
  ['assertions_results', '*', 'message'],
  ['request_details', 'raw_url'],
  ['scenarios_meta', 'evaluations', '*', 'condition'],
  ['attempts', '*', 'error_message'],
  ['attempts', '*', 'request_details', 'raw_url'],
  ['warnings', '*', 'message'],
]

function showInResult(result: StepResult, show: Show): StepResult {
  return PLACES.reduce<Json>(
    (shown, place) => showAt(shown, place, show),
    result as unknown as Json,
  ) as unknown as StepResult
}

/** A copy with the texts below a place shown; the value itself where it has no such place. */
function showAt(value: Json, [key, ...rest]: readonly string[], show: Show): Json {
  if (key === undefined) return showIn(value, show)
  if (Array.isArray(value)) return value.map((item) => showAt(item, rest, show))
  const member = (value as JsonObject)[key]
  return member === undefined ? value : { ...(value as JsonObject), [key]: showAt(member, rest, show) }
}

function showIn(value: Json, show: Show): Json {
  if (typeof value === 'string') return show(value)
  if (Array.isArray(value)) return value.map((item) => showIn(item, show))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, showIn(member, show)]))
}
