import { rememberObjects } from '../../remember.ts'
import { readOwn, type Json, type JsonObject } from '../../json.ts'
import type { ExpressionValues } from './expression-engine.ts'
import { readVariable, type Names, type Scope } from '../variables/scope.ts'

/** Makes the names of a scope readable by expressions. */
export function createExpressionValues(scope: Names & { env?: Scope['env'] }): ExpressionValues {
  const withoutLocals = { layers: scope.layers, exports: scope.exports }
  return {
    read: (name) => readName(scope, name),
    readVariable: (name) => readName(withoutLocals, name),
    readAllVariables: () => mergeNames(withoutLocals),
    readEnv: (name) => (scope.env && Object.hasOwn(scope.env, name) ? scope.env[name] : undefined),
  }
}

/** Makes plain variables readable by expressions. */
export function createPlainValues(variables: JsonObject): ExpressionValues {
  return createExpressionValues({ layers: [variables], exports: {} })
}

/** The expression values of a scope, made once per scope. */
export const readScopeValues: (scope: Scope) => ExpressionValues = rememberObjects(createExpressionValues)

function readName(names: Names, name: string): Json | undefined {
  const value = readVariable(names, name)
  return value === undefined ? readOwn(names.exports, name) : value
}

function mergeNames({ layers, exports }: Names): JsonObject {
  const merged = Object.create(null) as JsonObject
  return Object.assign(merged, exports, ...layers.toReversed()) as JsonObject
}
