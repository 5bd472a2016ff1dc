import type { Reporter, Vitest } from 'vitest/node'
import { handleSignals } from './handle-signals.ts'

/** Stops a run with suites in an orderly way on SIGINT and SIGTERM, with and without reports. */
export function stopOnSignals(): Reporter {
  let vitest: Vitest
  let release: (() => void) | undefined
  return {
    onInit(started) {
      vitest = started
    },
    onTestRunStart() {
      release?.()
      release = handleSignals(vitest, async () => {})
    },
    onTestRunEnd() {
      release?.()
    },
  }
}
