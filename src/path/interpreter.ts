import { TreeInterpreter } from '@jmespath-community/jmespath'
import { isEqual } from '../compare-json.ts'
import { isJsonObject, isNumber, makeMap, parseDecimal, type Json } from '../json.ts'
import { didYouMean } from '../text/suggest.ts'
import { countOf } from '../text/units.ts'
import { ownFunctions } from './functions.ts'
import type { FieldNode, PathNode } from './path-node.ts'
import { defaultLimits } from '../limits.ts'

type Interpreter = typeof TreeInterpreter
type Value = Parameters<Interpreter['visit']>[1]
type Comparator = PathNode & { type: 'Comparator' }

const CLOCK_EVERY = 64

/** Whether a name was ever found, and a value it was looked up in: where it was found, or else the map with most names. */
export type Lookup = { found: boolean; last: Json }
/** A result, the lookups by node, and (`odd`) the first comparison that only the types of values decide. */
export type Trace = {
  value: Json
  lookups: Map<FieldNode, Lookup>
  odd: { sign: Comparator['name']; left: Json; right: Json } | undefined
}

const startTrace = (): Trace => ({ value: null, lookups: new Map(), odd: undefined })

// The arguments `&expression`. The library would mistake any object with a field `expref` for one.
const references = new WeakSet<object>()

/** The library's interpreter with own properties only, no prototypes, a time limit, and `ownFunctions`. */
class OwnInterpreter extends (TreeInterpreter.constructor as new () => Interpreter) {
  steps = 0
  limit = Infinity
  deadline = Infinity
  trace = startTrace()

  constructor() {
    super()
    const nameType = (Reflect.get(this.runtime, 'getTypeName') as (value: unknown) => number).bind(
      this.runtime,
    )
    Reflect.set(this.runtime, 'getTypeName', (value: unknown) => {
      const typed = isJsonObject(value) ? { expref: references.has(value) } : value
      return nameType(typeof value === 'bigint' ? 0 : typed)
    })
    const apply = (node: PathNode, value: Json): Json => this.visit(node, value as Value) as Json
    const { _functionTable: functions } = this.runtime
    for (const [name, call] of Object.entries(ownFunctions))
      Object.assign(functions[name] as object, { _func: (values: Json[]) => call(values, apply) })
  }

  override visit(node: PathNode, value: Value): Value {
    this.steps += 1
    if (this.steps % CLOCK_EVERY === 0 && performance.now() > this.deadline)
      throw new Error(`the path took longer than ${this.limit} ms (option \`limits.expression\`)`)
    if (node.type === 'Field') return this.look(node, value as Json) as Value
    if (node.type === 'Subexpression') {
      const left = this.visit(node.left, value)
      // A name is looked up even in null, so that the lookup is recorded as a miss.
      return left === null && node.right.type !== 'Field' ? null : (this.visit(node.right, left) ?? null)
    }
    if (node.type === 'Comparator') {
      const [left, right] = [this.visit(node.left, value), this.visit(node.right, value)] as [Json, Json]
      this.note(node, left, right)
      if (node.name === 'EQ' || node.name === 'NE') return isEqual(left, right) === (node.name === 'EQ')
      // For numbers of any size; the library cannot compare bigints.
      if (!isNumber(left) || !isNumber(right)) return null
      if (node.name === 'GT') return left > right
      if (node.name === 'GTE') return left >= right
      return node.name === 'LT' ? left < right : left <= right
    }
    if (node.type === 'MultiSelectHash')
      return makeMap(
        node.children.map((child) => [child.name, this.visit(child.value, value) as Json]),
      ) as Value
    if (node.type !== 'ExpressionReference') return super.visit(node, value)
    // The library returns a copy, and lookups are recorded by node.
    references.add(node.child)
    return node.child
  }

  look(node: FieldNode, value: Json): Json {
    const found = isJsonObject(value) && Object.hasOwn(value, node.name)
    const { lookups } = this.trace
    const before = lookups.get(node)
    // Of the elements of a list, the one with most names tells best what there is: a stream may end with `[DONE]`.
    if (!before?.found && (found || countNames(value) >= countNames(before?.last)))
      lookups.set(node, { found, last: value })
    return found ? (value[node.name] ?? null) : null
  }

  note(node: Comparator, left: Json, right: Json): void {
    const { name } = node
    if (left === null || right === null) return
    const isOrder = name !== 'EQ' && name !== 'NE'
    const isOdd = isOrder ? !isNumber(left) || !isNumber(right) : isWrittenAs(left, right)
    if (isOdd) this.trace.odd ??= { sign: name, left, right }
  }
}

function countNames(value: Json | undefined): number {
  return isJsonObject(value) ? Object.keys(value).length : 0
}

/** True if one value is a number or boolean and the other a string that spells one. */
function isWrittenAs(one: Json, other: Json): boolean {
  const [text, value] = typeof one === 'string' ? [one, other] : [other, one]
  if (typeof text !== 'string') return false
  return isNumber(value)
    ? parseDecimal(text) !== undefined
    : typeof value === 'boolean' && /^(?:true|false)$/.test(text)
}

const interpreter = new OwnInterpreter()

const OTHER_NAMES = { count: 'length', len: 'length', size: 'length' }

/** Explains that a function does not exist or has too many or too few arguments; undefined if it is fine. */
export function explainBadCall({ name, children }: PathNode & { type: 'Function' }): string | undefined {
  const { _functionTable: functions } = interpreter.runtime
  if (!Object.hasOwn(functions, name))
    return `there is no function \`${name}()\`${didYouMean(name, Object.keys(functions), OTHER_NAMES)}`
  const { _signature: signature = [] } = functions[name] ?? {}
  const least = signature.filter(({ optional }) => !optional).length
  const most = signature.at(-1)?.variadic ? Infinity : signature.length
  const { length } = children
  if (length >= least && length <= most) return undefined
  const wanted = most === least ? least : `${least} ${most === Infinity ? 'or more' : `to ${most}`}`
  return `\`${name}()\` has ${countOf(length, 'argument')}, but takes ${wanted}`
}

/** Evaluates an expression and records lookups. Throws for bad arguments, huge data, or after `limit` ms. */
export function tracePath(node: PathNode, data: Json, limit: number = defaultLimits.expression): Trace {
  const trace = startTrace()
  Object.assign(interpreter, { trace, steps: 0, limit, deadline: performance.now() + limit })
  try {
    trace.value = interpreter.search(node, data as never) ?? null
    return trace
  } catch (error) {
    const { message } = error as Error
    if (error instanceof RangeError)
      throw new Error(`the data is too large or too deep for it (${message})`, { cause: error })
    throw /BigInt|^not-a-number(?!.*zero)/.test(message)
      ? new Error('JMESPath can calculate only with numbers, and only up to 2⁵³; use `{{js: …}}`', {
          cause: error,
        })
      : error
  }
}
