import type { Json } from '../../json.ts'
import { EngineError } from '../errors.ts'
import { maxDepth, measureJson } from '../expressions/measure.ts'
import type { Expression } from '../syntax/expression.ts'
import { readName, type Names } from '../variables/scope.ts'
import type { Guest, Outcome, Primitive } from './guest.ts'

/** A sandbox, and the lists and objects that it holds a copy of, known by identity. */
export type Session = { guest: Guest; loaded: Map<object, number>; size: number }

/** With so many characters of data in it, a sandbox forgets them all before the next run. */
const maxSize = 16_000_000
/** What a value takes beside its characters. */
const sizeOfEntry = 200
/** Two times the largest response body, as JSON. */
const largestValue = 100_000_000

/** Evaluates an expression in a sandbox, which is spent after an `EngineError`. */
export function runExpression(session: Session, { program, reads }: Expression, names: Names): Outcome {
  if (session.size > maxSize) {
    session.loaded.clear()
    session.size = 0
  }
  const passed: Primitive[] = []
  for (const { root, path } of reads) {
    const value = readName(names, root, path)
    if (value === undefined) passed.push('global', path.length === 0 ? root : '')
    else if (typeof value === 'bigint') passed.push('bigint', String(value))
    else if (typeof value !== 'object' || value === null) passed.push('value', value)
    else passed.push('loaded', session.loaded.get(value) ?? load(session, value))
  }
  return session.guest.evaluate(program, passed)
}

function load(session: Session, value: Json & object): number {
  const { depth, size, hasBigint } = measureJson(value, largestValue)
  if (depth > maxDepth) throw refuse(`nested deeper than ${maxDepth} levels`)
  if (size > largestValue) throw refuse(`of more than ${largestValue} characters`)
  const text = JSON.stringify(value, hasBigint ? mark : undefined)
  const id = session.loaded.size
  session.guest.load(id, hasBigint, text)
  session.loaded.set(value, id)
  session.size += text.length + sizeOfEntry
  return id
}

function refuse(what: string): EngineError {
  return new EngineError('not_data', `Data ${what} cannot be read by expressions`, 'an error')
}

// A letter before every text tells the digits of a bigint from the others.
const mark = (_: string, item: unknown): unknown =>
  typeof item === 'bigint' ? `n${item}` : typeof item === 'string' ? `s${item}` : item

/** Reads what a sandbox has written in this way. */
export function readMarked(text: string): Json {
  return JSON.parse(text, (_, item: unknown) => {
    if (typeof item !== 'string') return item
    return item.startsWith('n') ? BigInt(item.slice(1)) : item.slice(1)
  }) as Json
}
