import { SuiteError } from '../../src/errors.ts'
import { createRedactor } from '../../src/secrets/redactor.ts'
import type { ResolvedOptions } from './options.ts'

/** The error without what stands under secret names: its code frames show lines of the file, in the terminal and in every report. */
export function redactError({ file, problems }: SuiteError, redact: ResolvedOptions['redact']): SuiteError {
  const { redactSource } = createRedactor({ names: redact || [], enabled: redact !== false })
  return new SuiteError(
    file,
    problems.map((problem) => ({ ...problem, frame: redactSource(problem.frame) })),
  )
}
