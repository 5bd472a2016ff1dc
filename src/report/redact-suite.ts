import type { SuiteRun } from './build-suite-result.ts'
import { defaultKeptBytes } from '../safe-json.ts'
import type { Redactor } from '../secrets/redactor.ts'

const bounds = { maxBytes: defaultKeptBytes }

/** Hides secrets in all that belongs to a suite as a whole; its steps are redacted where they run (`prepareStep`) and only checked for values that became known later. */
export function redactSuite(run: SuiteRun, redactor: Redactor): SuiteRun {
  const json = <T extends NonNullable<SuiteRun['variables_captured']>>(value: T): T =>
    redactor.redactJson(value, bounds)
  const text = (value: string): string => redactor.redactText(value).toWellFormed()
  // The message of a suite that did not load shows lines of it.
  const source = (value: string): string => redactor.redactSource(value).toWellFormed()
  if (run.variables_captured) redactor.learn(run.variables_captured)
  if (run.available_variables) redactor.learn(run.available_variables)
  const redacted: SuiteRun = {
    ...run,
    suite_name: text(run.suite_name),
    suite_yaml_content: source(run.suite_yaml_content),
  }
  if (run.tags) redacted.tags = run.tags.map(text)
  if (run.variables_captured) redacted.variables_captured = json(run.variables_captured)
  if (run.available_variables) redacted.available_variables = json(run.available_variables)
  if (run.error_message !== undefined) redacted.error_message = source(run.error_message)
  if (run.warnings)
    redacted.warnings = run.warnings.map((warning) => ({ ...warning, message: text(warning.message) }))
  return redacted
}
