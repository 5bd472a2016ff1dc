import { EngineError } from '../../src/interpolation/errors.ts'
import type { ExpressionEngine } from '../../src/interpolation/engine.ts'
import type { ExpressionValues } from '../../src/interpolation/expression-values.ts'
import type { Json } from '../../src/json.ts'
import type { StepValues } from './definition.ts'
import { readFunctionIndex, type LiftedFunction } from './lift-functions.ts'

const LOCALS = ['status_code', 'headers', 'body', 'response_time', 'request'] as const

/** An engine that calls the functions of a definition itself and leaves every other expression to the engine below. */
export function createFunctionEngine(
  base: ExpressionEngine,
  functions: readonly LiftedFunction[],
): ExpressionEngine {
  return {
    ...base,
    evaluate(source, values) {
      const index = readFunctionIndex(source)
      const call = index === undefined ? undefined : functions[index]
      return call ? callFunction(call, values) : base.evaluate(source, values)
    },
  }
}

function callFunction(call: LiftedFunction, values: ExpressionValues): Json | undefined {
  const given: Record<string, unknown> = { variables: values.readAllVariables() }
  for (const name of LOCALS) given[name] = values.read(name)
  const result = attempt(() => call(given as StepValues))
  if (result instanceof Promise) {
    // Nobody else will look at it: its error must not end the run.
    result.catch(() => undefined)
    throw new EngineError(
      'not_data',
      'Expected a function of the suite to return a value, got a promise',
      'a promise',
    )
  }
  if (result === undefined || typeof result === 'string' || typeof result === 'boolean') return result
  return attempt(() => JSON.parse(JSON.stringify(result)) as Json)
}

function attempt<Value>(run: () => Value): Value {
  try {
    return run()
  } catch (error) {
    throw new EngineError('threw', error instanceof Error ? error.message : String(error))
  }
}
