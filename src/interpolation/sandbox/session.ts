import { maxDepth, type Json } from '../../json.ts'
import { EngineError, toEngineError } from '../errors.ts'
import { largestData, measureOnce } from '../expressions/measure.ts'
import type { Expression } from '../syntax/expression.ts'
import { readName, type Names } from '../variables/scope.ts'
import type { Guest, Outcome, Primitive } from './guest.ts'

/** A sandbox that holds more characters of data than this forgets all of them before the next run. */
const maxSize = 16_000_000
/** What each value takes in addition to its characters. */
const sizeOfEntry = 200

/** Creates a session: a sandbox that `makeGuest` creates when needed, and again after it failed. */
export function createSession(makeGuest: () => Guest) {
  let guest: Guest | undefined
  /** The arrays and objects of which the sandbox holds a copy, by identity. */
  const loaded = new Map<object, number>()
  let loadedSize = 0

  function forget(): void {
    loaded.clear()
    loadedSize = 0
  }

  function load(value: Json & object, into: Guest): number {
    const { depth, size, hasBigint } = measureOnce(value)
    if (depth > maxDepth) throw refuse(`nested deeper than ${maxDepth} levels`)
    if (size > largestData) throw refuse(`of more than ${largestData} characters`)
    const text = JSON.stringify(value, hasBigint ? mark : undefined)
    const id = loaded.size
    into.load(id, hasBigint, text)
    loaded.set(value, id)
    loadedSize += text.length + sizeOfEntry
    return id
  }

  function evaluate({ program, reads }: Expression, names: Names, into: Guest): Outcome {
    if (loadedSize > maxSize) forget()
    const passed: Primitive[] = []
    for (const { root, path } of reads) {
      const value = readName(names, root, path)
      if (value === undefined) passed.push('global', path.length === 0 ? root : '')
      else if (typeof value === 'bigint') passed.push('bigint', String(value))
      else if (typeof value !== 'object' || value === null) passed.push('value', value)
      else passed.push('loaded', loaded.get(value) ?? load(value, into))
    }
    return into.evaluate(program, passed)
  }

  /** Evaluates an expression; throws an `EngineError` if that ended the sandbox. */
  function run(expression: Expression, names: Names): Outcome {
    const isUsed = guest !== undefined
    guest ??= makeGuest()
    try {
      return evaluate(expression, names, guest)
    } catch (thrown) {
      end()
      const error = toEngineError(thrown)
      // What earlier runs left behind must not matter: try once more in an empty sandbox.
      if (!isUsed || (error.code !== 'memory' && error.code !== 'crashed')) throw error
      return run(expression, names)
    }
  }

  function end(): void {
    guest?.dispose?.()
    guest = undefined
    forget()
  }

  return { run, end }
}

function refuse(what: string): EngineError {
  return new EngineError('not_data', `Data ${what} cannot be read by expressions`, 'an error')
}

// Every string starts with a letter: `n` before the digits of a bigint, `s` before any other text.
const mark = (_: string, item: unknown): unknown =>
  typeof item === 'bigint' ? `n${item}` : typeof item === 'string' ? `s${item}` : item

/** Parses what a sandbox wrote in this format. */
export function readMarked(text: string): Json {
  return JSON.parse(text, (_, item: unknown) => {
    if (typeof item !== 'string') return item
    return item.startsWith('n') ? BigInt(item.slice(1)) : item.slice(1)
  }) as Json
}
