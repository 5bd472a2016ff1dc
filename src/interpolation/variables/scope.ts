import { readOwn, type Json, type JsonObject } from '../../json.ts'
import type { FakerSource } from '../faker.ts'

/** Keys of objects and indexes of lists that lead to a value. */
export type Path = readonly (string | number)[]

/** A regular expression in JavaScript syntax. */
export type RegExpSpec = { source: string; flags?: string }

/** Runs JavaScript expressions over data, contained and within a time limit. */
export type ExpressionEngine = {
  /**
   * Evaluates one expression; its names are locals, variables, else exports of a node. Lists and objects it reads are
   * copied into the sandbox once and known by identity afterwards. Gives plain data: a date becomes its ISO text, a
   * bigint a number where one holds it, `undefined` stays. Throws a `TemplateError` for bad syntax and an `EngineError`
   * for everything else, NaN and infinities included.
   */
  evaluate(source: string, names: Names): Json | undefined
  /** Whether a pattern matches anywhere in a text. Throws an `EngineError` for a bad pattern or one that runs too long. */
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
  /** Most characters one interpolated value may have, inserted data counted as JSON. Default 10 MB. */
  maxLength?: number
  /** Values of the moment that win over variables: `status_code`, `headers`, `body`, `response_time`, `request`. */
  locals?: JsonObject
  /** Encodes a value that is inserted into a longer text, given the text before it; without it values go in as they are. */
  embed?: (text: string, before: string) => string
}

/** What names can be looked up in. */
export type Names = Pick<Scope, 'layers' | 'exports' | 'locals'> & { env?: Scope['env'] }

/** All variables and exports as one object. */
export function mergeVariables({ layers, exports }: Names): JsonObject {
  return Object.assign(Object.create(null), exports, ...layers.toReversed()) as JsonObject
}

/**
 * Finds what a reference names: a local or variable `root` with `path` in it, else export `path[0]` of node `root`,
 * else, for `variables.x`, the variable `x`; for `$env.X` an environment variable. Own properties only; `undefined` when
 * there is nothing.
 */
export function lookup(names: Names, root: string, path: Path): Json | undefined {
  if (root === '$env') return names.env && descend(names.env as JsonObject, path)
  const value = readVariable(names, root)
  const found = value === undefined ? undefined : descend(value, path)
  // A variable that waits for its value is not what another suite exports under that name.
  const isWaiting = value === undefined && names.layers.some((layer) => Object.hasOwn(layer, root))
  if (found !== undefined || isWaiting) return found
  const exported = readOwn(names.exports, root)
  const shared = exported === undefined ? undefined : descend(exported, path)
  if (shared !== undefined || root !== 'variables' || path.length === 0) return shared
  const [name, ...rest] = path
  return lookup({ layers: names.layers, exports: names.exports }, String(name), rest)
}

/** What an expression reads: all variables, or what `lookup` finds. */
export function readName(names: Names, root: string, path: Path): Json | undefined {
  return root === 'variables' && path.length === 0 ? mergeVariables(names) : lookup(names, root, path)
}

/** A text in a layer that waits for a value, with the reason; it is `undefined` there. */
export type Gap = { path: Path; cause: string }
export const gaps = new WeakMap<object, readonly Gap[]>()

/** Why what a reference reads of the nearest layer has no value yet, or only a part of it. */
export function findGap({ layers }: Names, root: string, path: Path): string | undefined {
  const layer = layers.find((one) => Object.hasOwn(one, root))
  return layer && gaps.get(layer)?.find((gap) => isAlong(gap.path, [root, ...path]))?.cause
}

/** True when one path leads to the other, or is the same; for `anyIndex` each element of a list is like every other. */
export function isAlong(one: Path, other: Path, anyIndex = false): boolean {
  const isSame = (key: string | number, index: number): boolean =>
    String(key) === String(other[index]) || (anyIndex && typeof key === 'number')
  return one.every((key, index) => index >= other.length || isSame(key, index))
}

/** The innermost value of a name: a local, else what the first layer says that has it. */
export function readVariable(names: Names, name: string): Json | undefined {
  const local = names.locals && readOwn(names.locals, name)
  if (local !== undefined) return local
  const layer = names.layers.find((one) => Object.hasOwn(one, name))
  return layer?.[name]
}

/** Follows a path through own properties of objects, indexes of arrays, and `length` of arrays and strings. */
export function descend(value: Json, path: Path): Json | undefined {
  let at: Json | undefined = value
  for (const key of path) {
    if (typeof at === 'object' && at !== null) at = readOwn(at, String(key))
    else if (typeof at === 'string' && key === 'length') at = at.length
    else return undefined
    if (at === undefined) return undefined
  }
  return at
}

/** Every name that can be looked up, each once. */
export function listNames(names: Names): string[] {
  const sources = [names.locals ?? {}, ...names.layers, names.exports]
  return [...new Set(sources.flatMap((source) => Object.keys(source)))]
}
