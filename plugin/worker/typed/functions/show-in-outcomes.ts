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
    result: showInResult(result, show),
    failures: failures.map((failure) => ({ ...failure, message: show(failure.message) })),
  }))
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
  if (result.attempts) shown.attempts = showAll(result.attempts, ['error_message'], show)
  if (result.warnings) shown.warnings = showAll(result.warnings, ['message'], show)
  return shown
}

function showAll<Item extends object>(
  items: readonly Item[],
  names: readonly (keyof Item & string)[],
  show: Show,
): Item[] {
  return items.map((item) => showMembers(item, names, show))
}

/** A copy with those of the named members shown that are texts. */
function showMembers<Owner extends object>(
  owner: Owner,
  names: readonly (keyof Owner & string)[],
  show: Show,
): Owner {
  const copy = { ...owner } as Owner & Record<string, unknown>
  for (const name of names) {
    const text: unknown = owner[name]
    if (typeof text === 'string') Object.assign(copy, { [name]: show(text) })
  }
  return copy
}
