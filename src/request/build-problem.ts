import { escapeControl } from '../escape-control.ts'
import type { Json } from '../json.ts'
import { cut, typeOf } from '../text/show-value.ts'

/** Why a request cannot be built; thrown between the builders and turned into a RequestFailure by `buildRequest`. */
export class BuildProblem extends Error {
  readonly code: string

  constructor(message: string, code = 'INVALID_REQUEST') {
    super(message)
    this.name = 'BuildProblem'
    this.code = code
  }
}

/** Formats a value for a message: short, on one line, with its JSON type. */
export function describeValue(value: Json | undefined): string {
  if (value === undefined) return 'nothing'
  if (value === null) return '`null`'
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object') return 'an object'
  const text = typeof value === 'string' ? escapeControl(value) : String(value)
  return `\`${cut(text, 80)}\` (${typeOf(value)})`
}

/** The problem for a part of a request that is not what was expected. */
export function createProblem(
  label: string,
  wanted: string,
  { got, code }: { got: Json | undefined; code?: string },
): BuildProblem {
  return new BuildProblem(`Expected \`${label}\` to be ${wanted}, got ${describeValue(got)}`, code)
}

/** Returns a text; converts numbers and booleans, and throws a BuildProblem for anything else. */
export function readText(value: Json | undefined, label: string): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') requireFinite(value, label)
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return String(value)
  throw createProblem(label, 'a text', { got: value })
}

/** Throws a BuildProblem for an infinite number: what a number in an answer becomes if it is too large for JavaScript. */
export function requireFinite(value: number, label: string): void {
  if (Number.isFinite(value)) return
  throw new BuildProblem(
    `Expected \`${label}\` to be a finite number, got ${describeValue(value)}. JSON has no form for it, and the value it was made from was too large`,
  )
}
