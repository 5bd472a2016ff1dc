import type { Vitest } from 'vitest/node'
import { mask } from '../../../src/secrets/secret-names.ts'
import { createRedactor } from '../../../src/secrets/redactor.ts'
import type { ResolvedOptions } from '../../contract/options.ts'
import { secretsOf } from './run-secrets.ts'

/** Hides secrets in the lines of suite files that Vitest prints around a failed check. It asks its logger for the text it prints. */
export function hideInFrames(
  vitest: Vitest,
  suites: { redact: ResolvedOptions['redact']; owns: (path: string) => boolean },
): void {
  if (suites.redact === false) return
  const { logger } = vitest
  const highlight = logger.highlight.bind(logger)
  const redactor = createRedactor({ names: suites.redact || [] })
  logger.highlight = (path, source) => {
    if (!suites.owns(path)) return highlight(path, source)
    // Those known from the failure before cost nothing.
    for (const secret of secretsOf(vitest).values) redactor.addSecret(secret)
    redactor.learnSource(source)
    return source
      .split('\n')
      .map((line) => starOut(line, redactor.redactSource(line)))
      .join('\n')
  }
}

/** A line with asterisks where its redacted form has marks: as long as before, since the caret below counts its columns. */
export function starOut(line: string, redacted: string): string {
  if (redacted === line) return line
  const [first = '', ...rest] = redacted.split(mask)
  const hidden = line.length - first.length - rest.join('').length
  const stars = (at: number): string => '*'.repeat(at === 0 ? hidden - rest.length + 1 : 1)
  return first + rest.map((text, at) => stars(at) + text).join('')
}
