import { readOwn, toText, type JsonObject } from '../json.ts'
import { createRedactor, type Redactor } from './redactor.ts'
import { isOpenSetting, readOwnNames } from './secret-names.ts'
import type { SecretSearch } from './secret-search.ts'

export type RedactOption = false | readonly (string | RegExp)[] | undefined

/** Creates a suite's redactor. With a shared `search`, it also hides what those of other suites learn. */
export function createSuiteRedactor(
  plan: { redact: readonly string[] },
  redact: RedactOption,
  search?: SecretSearch,
): Redactor {
  return createRedactor({ names: [...(redact || []), ...plan.redact], enabled: redact !== false, search })
}

/** Creates the redactor for a suite's names: it knows the suite's variables and rows before the run. */
export function createNameRedactor(
  plan: { redact: readonly string[]; variables: JsonObject; each?: readonly JsonObject[] | undefined },
  redact: RedactOption,
): Redactor {
  const redactor = createSuiteRedactor(plan, redact)
  redactor.learn(plan.variables)
  for (const row of plan.each ?? []) redactor.learn(row)
  return redactor
}

/** What else is secret in a suite file: names of the option and `names`, and environment variables. */
export type FileSecrets = { redact?: RedactOption; names?: readonly string[]; env?: NodeJS.ProcessEnv }

/** Creates a redactor for the text of a suite file, even if broken; knows its secrets and `$env` values. */
export function createFileRedactor(text: string, { redact, names = [], env }: FileSecrets): Redactor {
  const redactor = createSuiteRedactor({ redact: [...names, ...readOwnNames(text)] }, redact)
  redactor.learnSource(text)
  const all = { ...process.env, ...env }
  // As `$env.NAME`, or in brackets and quotes, which YAML may escape.
  for (const [, name = ''] of text.matchAll(/\$env\W{1,5}(\w+)/g)) learnVariable(redactor, name, all)
  return redactor
}

/** Teaches a redactor the value of an environment variable, unless it is an ordinary setting. */
export function learnVariable(redactor: Redactor, name: string, env: NodeJS.ProcessEnv): void {
  const value = toText(readOwn(env, name) ?? '')
  if (!isOpenSetting(value, name)) redactor.addSecret(value, name)
}
