import { workerData } from 'node:worker_threads'
import type { ExpressionEngine } from '../../../src/interpolation/variables/scope.ts'

/** Tells the main process that this thread is alive. Nobody watches Vitest's own workers. */
export function beat(): void {
  if (workerData instanceof Int32Array) Atomics.add(workerData, 0, 1)
}

/** An engine that beats after each expression and pattern: many slow ones, each within its limit, are no blockage. */
export function beatAfterEach(engine: ExpressionEngine, tell = beat): ExpressionEngine {
  const measure = <Value>(run: () => Value): Value => {
    try {
      return run()
    } finally {
      tell()
    }
  }
  return {
    ...engine,
    evaluate: (source, names) => measure(() => engine.evaluate(source, names)),
    test: (pattern, subject) => measure(() => engine.test(pattern, subject)),
  }
}
