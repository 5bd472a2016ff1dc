import type { Json, JsonObject } from '../json.ts'
import { createRedactor, type Redactor } from './redactor.ts'
import type { SecretSearch } from './secret-search.ts'

/** The option `redact` as the main process or a worker has it. */
export type RedactOption = false | readonly (string | { source: string; flags: string })[] | undefined

/** A step of a plan as far as it names values. */
type NamingStep = { captures: readonly { name: string; path?: string }[]; inputs?: JsonObject }

/** A plan as far as it names values. */
type NamingPlan = {
  redact: readonly string[]
  variables: JsonObject
  exports: readonly string[]
  each?: readonly JsonObject[] | undefined
  setup: readonly NamingStep[]
  steps: readonly NamingStep[]
  teardown: readonly NamingStep[]
}

/** The redactor of one suite: the default names, those of the option and those of the suite. With a `search`, it hides what the redactors of other suites learn as well. */
export function createSuiteRedactor(
  plan: { redact: readonly string[] },
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
  plan: Pick<NamingPlan, 'redact' | 'variables' | 'each'>,
  redact: RedactOption,
): Redactor {
  const redactor = createSuiteRedactor(plan, redact)
  redactor.learn(plan.variables)
  for (const row of plan.each ?? []) redactor.learn(row)
  return redactor
}

/** Names of a plan whose values are or will be secret, known before it runs: for the redactors of suites that read them. */
export function listSecretNames(
  plan: NamingPlan,
  { isSecretName }: Pick<Redactor, 'isSecretName'>,
): string[] {
  const steps = [...plan.setup, ...plan.steps, ...plan.teardown]
  const captures = steps.flatMap((step) => step.captures)
  const holders = [plan.variables, ...(plan.each ?? []), ...steps.map(({ inputs }) => inputs ?? {})]
  const names = [
    ...plan.redact,
    ...plan.exports,
    ...captures.map(({ name }) => name),
    ...holders.flatMap((holder) => Object.keys(holder)),
  ]
  return [...new Set(names)].filter((name) => plan.redact.includes(name) || isSecretName(name))
}

/** Teaches a redactor what secret captures of a step would take from its response, before they are taken or although they are not: a failed check shows it as well. */
export function learnCaptures(
  redactor: Redactor,
  captures: NamingStep['captures'],
  response: { headers: JsonObject; body: Json },
): void {
  for (const { name, path } of captures) {
    const value = path === undefined || !redactor.isSecretName(name) ? undefined : readPlace(response, path)
    if (value !== undefined) redactor.learn({ [name]: value })
  }
}

const place = /^(?:body|headers)(?:\.(?:\w+|"[^"]+")|\[\d+\])*$/

/** The value at a path that only names members and items. */
function readPlace(response: JsonObject, path: string): Json | undefined {
  if (!place.test(path)) return undefined
  let value: Json | undefined = response
  for (const [step] of path.matchAll(/"[^"]+"|\w+/g)) {
    const key = step.replaceAll('"', '')
    const holder = value as JsonObject | null | undefined
    value =
      typeof holder === 'object' && holder !== null && Object.hasOwn(holder, key) ? holder[key] : undefined
  }
  return value
}
