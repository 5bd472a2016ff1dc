import type { ExpressionEngine } from '../../../../src/interpolation/expressions/expression-engine.ts'
import { callFunction } from './call-function.ts'
import { readFunctionIndex, type LiftedFunction } from './lift-functions.ts'

/** An engine that calls the functions of a definition itself and leaves every other expression to the engine below. */
export function createFunctionEngine(
  base: ExpressionEngine,
  functions: readonly LiftedFunction[],
): ExpressionEngine {
  return {
    ...base,
    evaluate(source, values) {
      const index = readFunctionIndex(source)
      const lifted = index === undefined ? undefined : functions[index]
      return lifted ? callFunction(lifted, values) : base.evaluate(source, values)
    },
  }
}
