import { workerData } from 'node:worker_threads'
import type { ExpressionEngine } from '../../../src/interpolation/variables/scope.ts'

/** Shows the main process that this thread is alive, in a count that it can always read. Nobody watches Vitest's own workers. */
export function beat(): void {
  if (workerData instanceof Int32Array) Atomics.add(workerData, 0, 1)
}

/** An engine that beats before each expression and pattern: many slow ones, each within its limit, are no blockage. */
export function beatBeforeEach(engine: ExpressionEngine): ExpressionEngine {
  return {
    ...engine,
    evaluate(source, names) {
      beat()
      return engine.evaluate(source, names)
    },
    test(pattern, subject) {
      beat()
      return engine.test(pattern, subject)
    },
  }
}
