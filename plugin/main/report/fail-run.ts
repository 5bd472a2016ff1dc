import type { Vitest } from 'vitest/node'
import { escapeControlInLines } from '../../../src/escape-control.ts'
import { usesReporter } from './uses-reporter.ts'

/** Fails a run for a reason that belongs to no test. On GitHub, the reason is also an annotation, as failures of tests are. */
export function failRun(vitest: Vitest, problem: string): void {
  process.exitCode = 1
  const shown = escapeControlInLines(problem)
  vitest.logger.error(`\nsuitecase: ${shown}`)
  if (!usesReporter(vitest, 'github-actions')) return
  vitest.logger.log(`::error title=suitecase::${shown.replaceAll('%', '%25').replaceAll('\n', '%0A')}`)
}
