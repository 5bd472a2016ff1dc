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
