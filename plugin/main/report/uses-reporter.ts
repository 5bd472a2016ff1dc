import type { Vitest } from 'vitest/node'

/** True if a reporter in use has one of these names. */
export function usesReporter({ config }: Vitest, ...names: string[]): boolean {
  const reporters = config.reporters as unknown[]
  return reporters.some((each) => names.includes([each].flat()[0] as string))
}

/** True with the terse reporter `agent` (or `minimal`), which Vitest chooses if a coding agent runs it. */
export function isTerse(vitest: Vitest): boolean {
  return usesReporter(vitest, 'agent', 'minimal')
}

/** True if the standard output is the report of a reporter (TAP, or with `stdout: true`). Nothing else may stand there. */
export function isReportOnStdout({ config }: Vitest): boolean {
  const parts = (config.reporters as unknown[]).flat() as ({ stdout?: unknown } | string | undefined)[]
  return parts.some((part) => (typeof part === 'string' ? part.startsWith('tap') : part?.stdout === true))
}
