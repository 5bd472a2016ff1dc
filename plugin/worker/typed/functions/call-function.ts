import { callFromExpression, noWait } from '../../../../src/interpolation/sandbox/wait-for-calls.ts'
import { runAsOwnRequest } from '../../../../src/mock/network.ts'
import { rememberObjects } from '../../../../src/remember.ts'
import { EngineError } from '../../../../src/interpolation/errors.ts'
import { mergeVariables } from '../../../../src/interpolation/variables/scope.ts'
import type { ExpressionEngine, Names } from '../../../../src/interpolation/variables/scope.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../../src/json.ts'
import { formatFieldPath } from '../../../../src/path/field-path.ts'
import { copyData, freezeData, isPromise, toPromise } from '../../../contract/copy-data.ts'
import { describeThrown } from '../../describe-thrown.ts'
import { readExpression } from './find-reads.ts'
import { findFunction, type LiftedFunction } from './lift-functions.ts'

/** An engine that calls the functions of definitions itself and passes every other expression to the base engine. */
export function createFunctionEngine(base: ExpressionEngine, shownFrom: string): ExpressionEngine {
  return {
    ...base,
    evaluate(source, names) {
      const lifted = findFunction(source)
      if (!lifted) return base.evaluate(source, names)
      return callFunction({ ...lifted, source }, names, shownFrom)
    },
    readFunction(source) {
      const lifted = findFunction(source)
      return lifted ? readExpression(lifted.call) : ''
    },
  }
}

/** Calls a function of a definition with frozen data, and copies its result. Throws an `EngineError` if it throws or returns no data. */
function callFunction(
  { role, call, source }: LiftedFunction & { source: string },
  names: Names,
  shownFrom: string,
): Json | undefined {
  const given = freezeData({ ...anyCase(names.locals ?? {}), variables: mergeVariables(names) })
  try {
    const result = callFromExpression(source, () => runAsOwnRequest(() => toPromise(call(given as never))))
    if (isPromise(result))
      throw refuse(`Expected a value, got a promise: ${noWait('functions')}`, 'a promise')
    if (result === undefined) {
      if (role === 'condition' || role === 'scenario') return undefined
      throw refuse('Expected a value, got undefined; return null for no value', 'undefined')
    }
    return copyData(result, {
      refuse(path, reason) {
        const place = path.length > 0 ? ` at \`${formatFieldPath(path)}\`` : ''
        throw refuse(`Expected a value that fits in JSON, got ${reason}${place}`, reason)
      },
    })
  } catch (error) {
    throw error instanceof EngineError ? error : new EngineError('threw', describeThrown(error, shownFrom))
  }
}

/** A response, its request and those of a burst, whose headers are found by names in any case, as in conditions. */
const anyCase = rememberObjects(({ headers, request, responses, ...others }: JsonObject): JsonObject => ({
  ...others,
  ...(isJsonObject(headers) && { headers: findAny(headers) }),
  ...(isJsonObject(request) && { request: anyCase(request) }),
  ...(Array.isArray(responses) && { responses: listAnyCase(responses) }),
}))

// All responses of a burst see the same list.
const listAnyCase = rememberObjects((list: Json[]) => list.map((one) => anyCase(one as JsonObject)))

const toLower = (name: string | symbol) => (typeof name === 'string' ? name.toLowerCase() : name)

/** A copy of headers; names in another case are looked up in its prototype. */
function findAny(headers: JsonObject): JsonObject {
  const other = new Proxy<object>(Object.create(null) as object, {
    get: (_, name): unknown => Reflect.get(headers, toLower(name)),
    has: (_, name) => Reflect.has(headers, toLower(name)),
  })
  return Object.setPrototypeOf({ ...headers }, other) as JsonObject
}

function refuse(message: string, shown: string): EngineError {
  return new EngineError('not_data', message, shown)
}
