import type { Vitest } from 'vitest/node'

/** True with Vitest's reporter `agent` (or `minimal`, its other name), which it chooses itself where a coding agent runs it: only what failed is said, without decoration. */
export function isTerse({ config }: Vitest): boolean {
  const reporters = config.reporters as readonly unknown[]
  return reporters.some((each) => ['agent', 'minimal'].includes([each].flat()[0] as string))
}
