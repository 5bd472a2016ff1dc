import { TreeInterpreter } from '@jmespath-community/jmespath'
import type { Json, JsonObject } from '../json.ts'
import { ownFunctions, type OwnFunction } from './functions.ts'
import type { PathNode } from './path-node.ts'

type Interpreter = typeof TreeInterpreter
type Runtime = Interpreter['runtime']
type Value = Parameters<Interpreter['visit']>[1]

const CLOCK_EVERY = 64
const DEFAULT_LIMIT = 1000

// `&expression` arguments. The library would take any object of an answer with a field `expref` for one.
const references = new WeakSet<object>()

/**
 * The library's interpreter with own-property lookup, results without prototypes, a time limit, and corrected functions:
 * the library sorts numbers as text and overflows the stack on long lists.
 */
class OwnInterpreter extends (TreeInterpreter.constructor as new () => Interpreter) {
  clock = { steps: 0, limit: Infinity, deadline: Infinity }

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
    patchTypes(inner.runtime)
    return inner
  }

  override visit(node: PathNode, value: Value): Value {
    this.clock.steps += 1
    if (this.clock.steps % CLOCK_EVERY === 0 && performance.now() > this.clock.deadline)
      throw new Error(`the path took longer than ${this.clock.limit} ms (option \`limits.expression\`)`)
    if (node.type === 'Field') return readField(value, node.name) as Value
    if (node.type === 'MultiSelectHash') {
      const hash = Object.create(null) as JsonObject
      for (const child of node.children) hash[child.name] = this.visit(child.value, value) as Json
      return hash as Value
    }
    if (node.type === 'ExpressionReference') {
      const reference = { ...node.child }
      references.add(reference)
      return reference
    }
    return super.visit(node, value)
  }
}

function adaptFunction(call: OwnFunction) {
  return function applyFunction(this: Runtime, values: Json[]): Json {
    // Not the outer interpreter: inside `let` another one knows the variables.
    const { _interpreter: current } = this
    return call(values, (node, value) => current.visit(node, value as Value) as Json)
  }
}

function readField(value: Value, name: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name))
    return null
  return (value as JsonObject)[name] ?? null
}

function patchTypes(runtime: Runtime): void {
  const nameType = (Reflect.get(runtime, 'getTypeName') as (value: unknown) => number | undefined).bind(
    runtime,
  )
  const [expression, object] = [nameType({ expref: true }), nameType({})]
  Object.assign(runtime, {
    getTypeName(value: unknown): number | undefined {
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

/** Evaluates a compiled expression; throws an Error with words when a function gets what it cannot use, or after `limit` ms. */
export function interpretPath(node: PathNode, data: Json, limit: number = DEFAULT_LIMIT): Json {
  interpreter.clock = { steps: 0, limit, deadline: performance.now() + limit }
  try {
    return (interpreter.search(node, data as never) as Json | undefined) ?? null
  } catch (error) {
    if (error instanceof RangeError)
      throw new Error(`the data is too large or too deep for it (${error.message})`, { cause: error })
    throw error
  }
}
