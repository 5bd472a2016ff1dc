import { rememberObjects } from '../../remember.ts'
import type { JsonObject } from '../../json.ts'
import type { ExpressionValues } from './expression-engine.ts'
import { lookup, type Names, type Scope } from '../variables/scope.ts'

/** Makes the names of a scope readable by expressions. */
export function createExpressionValues(scope: Names & { env?: Scope['env'] }): ExpressionValues {
  const withoutLocals = { layers: scope.layers, exports: scope.exports }
  return {
    read: (name) => lookup(scope, name, []),
    readVariable: (name) => lookup(withoutLocals, name, []),
    readAllVariables: () => mergeNames(withoutLocals),
    readEnv: (name) => (scope.env && Object.hasOwn(scope.env, name) ? scope.env[name] : undefined),
  }
}

/** The expression values of a scope, made once per scope. */
export const readScopeValues: (scope: Scope) => ExpressionValues = rememberObjects(createExpressionValues)

function mergeNames({ layers, exports }: Names): JsonObject {
  const merged = Object.create(null) as JsonObject
  return Object.assign(merged, exports, ...layers.toReversed()) as JsonObject
}
