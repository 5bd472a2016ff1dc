import type { Vitest } from 'vitest/node'

/** True where a reporter in use has one of these names. */
export function usesReporter({ config }: Vitest, ...names: string[]): boolean {
  const reporters = config.reporters as unknown[]
  return reporters.some((each) => names.includes([each].flat()[0] as string))
}

/** True with Vitest's reporter `agent` (or `minimal`, its other name), which it chooses itself where a coding agent runs it: only what failed is said, without decoration. */
export function isTerse(vitest: Vitest): boolean {
  return usesReporter(vitest, 'agent', 'minimal')
}
