import { TreeInterpreter } from '@jmespath-community/jmespath'
import { isEqual } from '../compare-json.ts'
import { isNumber, isJsonObject, type Json, type JsonObject } from '../json.ts'
import { typeOf } from '../text/show-value.ts'
import { ownFunctions, type OwnFunction } from './functions.ts'
import type { PathNode } from './path-node.ts'

type Interpreter = typeof TreeInterpreter
type Runtime = Interpreter['runtime']
type Value = Parameters<Interpreter['visit']>[1]

// Numbers of any size; the library's own comparison knows no bigint.
const ORDERS = {
  GT: (a: number | bigint, b: number | bigint) => a > b,
  GTE: (a: number | bigint, b: number | bigint) => a >= b,
  LT: (a: number | bigint, b: number | bigint) => a < b,
  LTE: (a: number | bigint, b: number | bigint) => a <= b,
}

const CLOCK_EVERY = 64
const DEFAULT_LIMIT = 1000

/** Whether a name was ever found, and in what it was looked for last. */
export type Lookup = { found: boolean; last: Json }
/** A comparison: whether it ever got two values that it can tell apart, and two that only their types keep from that. */
type Comparison = { fits: boolean; odd: readonly [Json, Json] | undefined }
/** What an expression gave, with what its names found and what its comparisons got, by their nodes. */
export type Trace = {
  value: Json
  lookups: ReadonlyMap<PathNode, Lookup>
  comparisons: ReadonlyMap<PathNode & { type: 'Comparator' }, Comparison>
}

// `&expression` arguments with their nodes. The library would take any object of an answer with a field `expref` for one.
const references = new WeakMap<object, PathNode>()

/**
 * The library's interpreter with own-property lookup, results without prototypes, a time limit, and corrected functions:
 * the library sorts numbers as text and overflows the stack on long lists.
 */
class OwnInterpreter extends (TreeInterpreter.constructor as new () => Interpreter) {
  clock = { steps: 0, limit: Infinity, deadline: Infinity }
  traced = { lookups: new Map<PathNode, Lookup>(), comparisons: new Map<PathNode, Comparison>() }

  constructor() {
    super()
    const { _functionTable: functions } = this.runtime
    for (const [name, call] of Object.entries(ownFunctions)) {
      const entry = functions[name]
      if (entry === undefined) throw new Error(`JMESPath has no function ${name}()`)
      Object.assign(entry, { _func: adaptFunction(call) })
    }
    // Null prototype: `constructor()` is not a function of JMESPath.
    Object.assign(this.runtime, { _functionTable: Object.assign(Object.create(null), functions) })
    patchTypes(this.runtime)
  }

  override withScope(scope: Parameters<Interpreter['withScope']>[0]): Interpreter {
    const inner = super.withScope(scope) as OwnInterpreter
    Object.setPrototypeOf(inner, OwnInterpreter.prototype)
    inner.clock = this.clock
    inner.traced = this.traced
    patchTypes(inner.runtime)
    return inner
  }

  override visit(node: PathNode, value: Value): Value {
    this.clock.steps += 1
    if (this.clock.steps % CLOCK_EVERY === 0 && performance.now() > this.clock.deadline)
      throw new Error(`the path took longer than ${this.clock.limit} ms (option \`limits.expression\`)`)
    if (node.type === 'Field') return this.look(node, value as Json) as Value
    if (node.type === 'Subexpression') {
      const left = this.visit(node.left, value)
      if (left === null && node.right.type === 'Field') this.look(node.right, null)
      return left === null ? null : (this.visit(node.right, left) ?? null)
    }
    if (node.type === 'Comparator') {
      const [left, right] = [this.visit(node.left, value), this.visit(node.right, value)] as [Json, Json]
      this.note(node, left, right)
      if (node.name === 'EQ' || node.name === 'NE') return isEqual(left, right) === (node.name === 'EQ')
      return isNumber(left) && isNumber(right) ? ORDERS[node.name](left, right) : null
    }
    if (node.type === 'MultiSelectHash') {
      const hash = Object.create(null) as JsonObject
      for (const child of node.children) hash[child.name] = this.visit(child.value, value) as Json
      return hash as Value
    }
    if (node.type === 'ExpressionReference') {
      const reference = { ...node.child }
      references.set(reference, node.child)
      return reference
    }
    return super.visit(node, value)
  }

  look(node: PathNode & { type: 'Field' }, value: Json): Json {
    const found = isJsonObject(value) && Object.hasOwn(value, node.name)
    const { lookups } = this.traced
    const asked = references.get(node) ?? node
    if (!lookups.get(asked)?.found) lookups.set(asked, { found, last: value })
    return found ? (value[node.name] ?? null) : null
  }

  note(node: PathNode & { type: 'Comparator' }, left: Json, right: Json): void {
    const { comparisons } = this.traced
    const known = comparisons.get(node)
    if (known?.fits) return
    const isOrder = node.name !== 'EQ' && node.name !== 'NE'
    const hasNull = left === null || right === null
    const fits = !hasNull && typeOf(left) === typeOf(right) && (!isOrder || isNumber(left))
    const isOdd = !hasNull && !fits && (isOrder || isWrittenAs(left, right))
    comparisons.set(node, { fits, odd: known?.odd ?? (isOdd ? [left, right] : undefined) })
  }
}

/** True for a number or a boolean and a text that writes one. */
function isWrittenAs(one: Json, other: Json): boolean {
  const [text, type] = typeof one === 'string' ? [one, typeOf(other)] : [other, typeOf(one)]
  if (typeof text !== 'string') return false
  return type === 'number'
    ? /^-?\d+(?:\.\d+)?$/.test(text)
    : type === 'boolean' && /^(?:true|false)$/.test(text)
}

function adaptFunction(call: OwnFunction) {
  return function applyFunction(this: Runtime, values: Json[]): Json {
    // Not the outer interpreter: inside `let` another one knows the variables.
    const { _interpreter: current } = this
    return call(values, (node, value) => current.visit(node, value as Value) as Json)
  }
}

function patchTypes(runtime: Runtime): void {
  const nameType = (Reflect.get(runtime, 'getTypeName') as (value: unknown) => number | undefined).bind(
    runtime,
  )
  const [expression, object, number] = [nameType({ expref: true }), nameType({}), nameType(0)]
  Object.assign(runtime, {
    getTypeName(value: unknown): number | undefined {
      if (typeof value === 'bigint') return number
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return nameType(value)
      return references.has(value) ? expression : object
    },
  })
}

const interpreter = new OwnInterpreter()

const { _functionTable: functionTable } = interpreter.runtime

/** Names of all functions. */
export const functionNames: readonly string[] = Object.keys(functionTable)

/** Least and most number of arguments of a function; undefined when there is no such function. */
export function readArity(name: string): { least: number; most: number } | undefined {
  const { _signature: signature } = functionTable[name] ?? {}
  if (signature === undefined) return undefined
  const least = signature.filter(({ optional }) => !optional).length
  return { least, most: signature.at(-1)?.variadic ? Infinity : signature.length }
}

/** Evaluates a compiled expression, and tells which names it found; throws an Error with words when a function gets what it cannot use, or after `limit` ms. */
export function tracePath(node: PathNode, data: Json, limit: number = DEFAULT_LIMIT): Trace {
  interpreter.clock = { steps: 0, limit, deadline: performance.now() + limit }
  const traced = { lookups: new Map(), comparisons: new Map() }
  interpreter.traced = traced
  try {
    return { value: interpreter.search(node, data as never) ?? null, ...traced }
  } catch (error) {
    if (error instanceof RangeError)
      throw new Error(`the data is too large or too deep for it (${error.message})`, { cause: error })
    throw error
  }
}
