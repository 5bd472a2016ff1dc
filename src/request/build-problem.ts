import type { Json } from '../json.ts'

/** Why a request cannot be built; thrown between the builders and turned into a RequestFailure by `buildRequest`. */
export class BuildProblem extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.name = 'BuildProblem'
    this.code = code
  }
}

/** Shows a value in a message: short, on one line, with its JSON type. */
export function describeValue(value: Json | undefined): string {
  if (value === undefined) return 'nothing'
  if (value === null) return '`null`'
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object') return 'an object'
  const text = typeof value === 'string' ? escapeControls(value) : String(value)
  return `\`${text.length > 80 ? `${text.slice(0, 80)}…` : text}\` (${typeof value})`
}

/** Makes control characters visible (`\x0d`), so that a message stays on its line. */
export function escapeControls(text: string): string {
  return text.replace(
    /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu,
    (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
}

/** Hands back a text, takes numbers and booleans as their text, and refuses everything else. */
export function readText(value: Json | undefined, label: string): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new BuildProblem('INVALID_REQUEST', `Expected \`${label}\` to be a text, got ${describeValue(value)}`)
}
