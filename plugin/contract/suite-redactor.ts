import type { JsonObject } from '../../src/json.ts'
import { createRedactor, type Redactor } from '../../src/secrets/redactor.ts'
import type { SecretSearch } from '../../src/secrets/secret-search.ts'
import type { SuitePlan } from '../../src/suite/plan.ts'

/** The option `redact` as the main process or a worker has it. */
type RedactOption = false | readonly (string | { source: string; flags: string })[] | undefined

/** The redactor of one suite: the default names, those of the option and those of the suite; with `search` it hides what others know as well. */
export function createSuiteRedactor(
  plan: Pick<SuitePlan, 'redact'>,
  redact: RedactOption,
  search?: SecretSearch,
): Redactor {
  const names = (redact || []).map((name) =>
    typeof name === 'string' ? name : new RegExp(name.source, name.flags),
  )
  return createRedactor({
    names: [...names, ...plan.redact],
    enabled: redact !== false,
    ...(search && { search }),
  })
}

/** The redactor of a suite's names: it knows what the suite's variables and rows say before the run. */
export function createNameRedactor(
  plan: Pick<SuitePlan, 'redact' | 'variables'> & { each?: readonly JsonObject[] | undefined },
  redact: RedactOption,
): Redactor {
  const redactor = createSuiteRedactor(plan, redact)
  redactor.learn(plan.variables)
  for (const row of plan.each ?? []) redactor.learn(row)
  return redactor
}
