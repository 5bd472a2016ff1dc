import type { JsonObject } from '../json.ts'
import { createRedactor, type Redactor } from './redactor.ts'
import type { SecretSearch } from './secret-search.ts'

/** The option `redact`. */
export type RedactOption = false | readonly (string | RegExp)[] | undefined

/** The redactor of one suite: the default names, those of the option and those of the suite. With a `search`, it hides what the redactors of other suites learn as well. */
export function createSuiteRedactor(
  plan: { redact: readonly string[] },
  redact: RedactOption,
  search?: SecretSearch,
): Redactor {
  return createRedactor({ names: [...(redact || []), ...plan.redact], enabled: redact !== false, search })
}

/** The redactor of a suite's names: it knows what the suite's variables and rows say before the run. */
export function createNameRedactor(
  plan: { redact: readonly string[]; variables: JsonObject; each?: readonly JsonObject[] | undefined },
  redact: RedactOption,
): Redactor {
  const redactor = createSuiteRedactor(plan, redact)
  redactor.learn(plan.variables)
  for (const row of plan.each ?? []) redactor.learn(row)
  return redactor
}
