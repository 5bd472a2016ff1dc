import type { Json, JsonObject } from '../../../../src/json.ts'
import type { Attempt, StepResult } from '../../../../src/run/result.ts'
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

function showInResult(result: StepResult, show: Show): StepResult {
  const { request_details: request, scenarios_meta: scenarios } = result
  const shown: StepResult = {
    ...showMembers(result, ['error_message', 'skip_reason'], show),
    assertions_results: showAll(result.assertions_results, ['field', 'expected', 'message'], show),
  }
  if (request) shown.request_details = showMembers(request, ['raw_url'], show)
  if (scenarios)
    shown.scenarios_meta = { ...scenarios, evaluations: showAll(scenarios.evaluations, ['condition'], show) }
  if (result.attempts) shown.attempts = result.attempts.map((attempt) => showInAttempt(attempt, show))
  if (result.warnings) shown.warnings = showAll(result.warnings, ['message'], show)
  return shown
}

function showInAttempt(attempt: Attempt, show: Show): Attempt {
  const { request_details: request } = attempt
  const shown = showMembers(attempt, ['error_message'], show)
  return request ? { ...shown, request_details: showMembers(request, ['raw_url'], show) } : shown
}

function showAll<Item extends object>(
  items: readonly Item[],
  names: readonly (keyof Item & string)[],
  show: Show,
): Item[] {
  return items.map((item) => showMembers(item, names, show))
}

/** A copy with the texts in the named members shown. */
function showMembers<Owner extends object>(
  owner: Owner,
  names: readonly (keyof Owner & string)[],
  show: Show,
): Owner {
  const copy = { ...owner }
  for (const name of names)
    if (copy[name] !== undefined) Object.assign(copy, { [name]: showIn(copy[name] as Json, show) })
  return copy
}

function showIn(value: Json, show: Show): Json {
  if (typeof value === 'string') return show(value)
  if (Array.isArray(value)) return value.map((item) => showIn(item, show))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, showIn(member, show)]))
}
