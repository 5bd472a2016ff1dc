import { readOwn, type Json, type JsonObject, type ValuePath } from '../../json.ts'
import type { FakerSource } from '../faker.ts'

/** A regular expression in JavaScript syntax. */
export type RegExpSpec = { source: string; flags?: string }

/** Runs JavaScript expressions on data, isolated and with a time limit. */
export type ExpressionEngine = {
  /**
   * Evaluates one expression. Arrays and objects are copied into the sandbox once and then recognised by identity. Returns
   * plain data: dates as ISO text, bigints only beyond numbers; `undefined` stays. Throws a `TemplateError` for bad syntax,
   * an `EngineError` for everything else, including NaN and infinities.
   */
  evaluate(source: string, names: Names): Json | undefined
  /** The expression that a function computes, if `source` only calls one; empty if it does more. */
  readFunction?(source: string): string
  /** Whether a pattern matches anywhere in a text. Throws an `EngineError` if it is bad or runs too long. */
  test(pattern: RegExpSpec, subject: string): boolean
  dispose(): void
}

/** Everything a template can see. Values in it are data: they must not change while the scope is in use. */
export type Scope = {
  /** Variables, first wins: captures, row or loop variable, suite variables, plugin variables. */
  layers: readonly JsonObject[]
  /** Exports of other suites by node id. */
  exports: { readonly [nodeId: string]: JsonObject }
  env: Readonly<Record<string, string | undefined>>
  engine: ExpressionEngine
  faker?: FakerSource | undefined
  /** The most characters one interpolated value may have, counting inserted data as JSON. */
  maxLength?: number
  /** Current values that win over variables: `status_code`, `headers`, `body`, `response_time`, `request`. */
  locals?: JsonObject
  /** Encodes a value, given as text too, that is inserted into a longer text after `before`. By default its text is inserted as it is. */
  embed?: (text: string, before: string, value: Json) => string
}

/** Where names are looked up. */
export type Names = Pick<Scope, 'layers' | 'exports' | 'locals'> & { env?: Scope['env'] }

/** All variables and exports as one object. */
export function mergeVariables({ layers, exports }: Names): JsonObject {
  return Object.assign(Object.create(null) as object, exports, ...layers.toReversed()) as JsonObject
}

/**
 * Finds `path` in the local or variable `root`, else in the exports of node `root`, else, for `variables.x`, in the variable
 * `x`; `$env.X` in the environment. Reads own properties only.
 */
export function lookup(names: Names, root: string, path: ValuePath): Json | undefined {
  if (root === '$env') return names.env && descend(names.env as JsonObject, path)
  const value = readVariable(names, root)
  const found = descend(value, path)
  // While a variable waits for its value, it must not resolve to another suite's export of that name.
  const isWaiting = value === undefined && names.layers.some((layer) => Object.hasOwn(layer, root))
  if (found !== undefined || isWaiting) return found
  const shared = descend(readOwn(names.exports, root), path)
  if (shared !== undefined || root !== 'variables' || path.length === 0) return shared
  return lookup({ layers: names.layers, exports: names.exports }, String(path[0]), path.slice(1))
}

/** The value of a name in an expression. `variables` without a path is all variables and exports. */
export function readName(names: Names, root: string, path: ValuePath): Json | undefined {
  return root === 'variables' && path.length === 0 ? mergeVariables(names) : lookup(names, root, path)
}

/** A text in a layer that still has no value (it is `undefined` there), and why. */
export type Gap = { path: ValuePath; cause: string }
/** The gaps of each layer that has some. */
export const gaps = new WeakMap<object, readonly Gap[]>()

/** Why a reference to the nearest layer has no value or only part of one; undefined if it is complete. */
export function findGap({ layers }: Names, root: string, path: ValuePath): string | undefined {
  const layer = layers.find((one) => Object.hasOwn(one, root))
  if (!layer && root === 'variables' && path.length > 0)
    return findGap({ layers, exports: {} }, String(path[0]), path.slice(1))
  return layer && gaps.get(layer)?.find((gap) => isAlong(gap.path, [root, ...path]))?.cause
}

/** True if one path starts with the other. With `anyIndex`, all elements of a list count as the same. */
export function isAlong(one: ValuePath, other: ValuePath, anyIndex = false): boolean {
  const isSame = (key: string | number, index: number): boolean =>
    String(key) === String(other[index]) || (anyIndex && typeof key === 'number')
  return one.every((key, index) => index >= other.length || isSame(key, index))
}

/** The innermost value of a name: a local, else that of the first layer that has the name. */
export function readVariable(names: Names, name: string): Json | undefined {
  const local = names.locals && readOwn(names.locals, name)
  if (local !== undefined) return local
  return names.layers.find((one) => Object.hasOwn(one, name))?.[name]
}

/** Follows a path through own properties, array indexes, and the `length` of arrays and strings. */
export function descend(value: Json | undefined, path: ValuePath): Json | undefined {
  let at = value
  for (const key of path) {
    if (typeof at === 'object' && at !== null) at = readOwn(at, String(key))
    else if (typeof at === 'string' && key === 'length') at = at.length
    else return undefined
  }
  return at
}

/** Every name that can be looked up, each once. */
export function listKnownNames(names: Names): string[] {
  const sources = [names.locals ?? {}, ...names.layers, names.exports]
  return [...new Set(sources.flatMap((source) => Object.keys(source)))]
}
