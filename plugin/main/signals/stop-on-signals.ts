import type { Reporter, Vitest } from 'vitest/node'
import { handleSignals } from './handle-signals.ts'

/** Stops a run with suites in an orderly way on SIGINT and SIGTERM, with and without reports. */
export function stopOnSignals(vitest: Vitest): Reporter {
  let release: (() => void) | undefined
  return {
    onTestRunStart() {
      release?.()
      release = handleSignals(vitest, async () => {})
    },
    onTestRunEnd() {
      release?.()
    },
  }
}
