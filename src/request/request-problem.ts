import { escapeControl } from '../escape-control.ts'
import type { Json } from '../json.ts'
import { cut, typeOf } from '../text/show-value.ts'

/** Why a request cannot be built or sent, or its response not be used. Other errors come from the system. */
export class RequestProblem extends Error {
  override name = 'RequestProblem'
  readonly code: string
  readonly hint: string | undefined

  constructor(message: string, code = 'INVALID_REQUEST', hint?: string) {
    super(message)
    this.code = code
    this.hint = hint
  }
}

/** Formats a value for a message: short, on one line, with its JSON type. */
export function describeValue(value: Json | undefined): string {
  if (value === undefined) return 'nothing'
  if (value === null) return '`null`'
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object') return 'an object'
  if (value === '') return '`""` (string)'
  const text = typeof value === 'string' ? escapeControl(value) : String(value)
  return `\`${cut(text, 80)}\` (${typeOf(value)})`
}

/** The problem that a field is not what is `wanted`. */
export function createProblem(label: string, wanted: string, got: Json | undefined): RequestProblem {
  return new RequestProblem(`Expected \`${label}\` to be ${wanted}, got ${describeValue(got)}`)
}

/** Returns a text, or a number or boolean as text. Throws a RequestProblem for anything else. */
export function readText(value: Json | undefined, label: string): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') requireFinite(value, label)
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return String(value)
  throw createProblem(label, 'a string', value)
}

/** Throws a RequestProblem for an infinite number, as a number in JSON becomes if it is too large. */
export function requireFinite(value: number, label: string): void {
  if (!Number.isFinite(value)) throw createProblem(label, 'a finite number', value)
}
