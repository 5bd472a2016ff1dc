import type { Vitest } from 'vitest/node'

/** A reporter as the configuration names it, perhaps with its options. */
type ReporterEntry = string | [name: string, options?: unknown]

/** The first reporter in use that has one of these names. */
export function findReporter({ config }: Vitest, ...names: string[]): ReporterEntry | undefined {
  const reporters = config.reporters as unknown as ReporterEntry[]
  return reporters.find((each) => names.includes([each].flat()[0] as string))
}

/** True with Vitest's reporter `agent` (or `minimal`, its other name), which it chooses itself where a coding agent runs it: only what failed is said, without decoration. */
export function isTerse(vitest: Vitest): boolean {
  return findReporter(vitest, 'agent', 'minimal') !== undefined
}
