import { escapeControl, escapeOne } from '../escape-control.ts'
import type { Json } from '../json.ts'

/** JSON types as the `type` check names them (an `integer` is a `number` here). */
export type JsonType = 'string' | 'number' | 'boolean' | 'object' | 'array' | 'null'

const MAX_LEVELS = 5
const MAX_MEMBERS = 20
const MAX_TEXT = 120
const LOOK_ALIKES = /[\u0300-\u036f\xa0\xad\u2000-\u200b\u202f\u205f-\u2064\ufeff]/g

export function typeOf(value: Json): JsonType {
  if (value === null) return 'null'
  if (typeof value === 'bigint') return 'number'
  return Array.isArray(value) ? 'array' : (typeof value as JsonType)
}

/** Formats a value for a message: on one line, cut where it is long or deep, with its JSON type. */
export function showValue(value: Json): string {
  return value === null ? '`null`' : `\`${previewValue(value)}\` (${typeOf(value)})`
}

/** Puts what an author wrote between backticks; between quotes if it has backticks itself, as JMESPath may. */
export function quoteCode(text: string): string {
  return text.includes('`') ? `“${text}”` : `\`${text}\``
}

/** Writes a value as JSON on one line of at most 120 characters; `…` stands for what was cut. */
export function previewValue(value: Json): string {
  return cut(writePreview(value, MAX_LEVELS), MAX_TEXT)
}

/**
 * A text in one form where Unicode has several, without characters that have no width and with `\n` for line ends.
 * Texts that look alike, such as those with another kind of space, have the same.
 */
function plainText(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll('\r\n', '\n')
}

/** A text as the eye may take it: its plain form in lower case. */
export function foldText(text: string): string {
  return plainText(text).toLowerCase()
}

/** Shows where two different texts differ if their previews look the same; empty for other values. */
export function showLateDifference(expected: Json | undefined, actual: Json | undefined): string {
  if (typeof expected !== 'string' || typeof actual !== 'string') return ''
  if (plainText(previewValue(expected)) !== plainText(previewValue(actual))) return ''
  let at = 0
  while (at < expected.length && expected[at] === actual[at]) at += 1
  // One character each: the rest of a secret that begins before them would not be recognised as one.
  const [wanted, got] = [expected, actual].map((text) => nameCharacter(text.codePointAt(at)))
  return `; at character ${at + 1}: expected ${wanted}, got ${got}`
}

function nameCharacter(code?: number): string {
  if (code === undefined) return '""'
  const hex = code.toString(16).toUpperCase().padStart(4, '0')
  return previewValue(String.fromCodePoint(code)) + (code > 127 ? ` (U+${hex})` : '')
}

// Limits depth and width: JSON.stringify overflows the stack at a few thousand levels.
function writePreview(value: Json, levels: number): string {
  if (typeof value === 'string') return quote(value)
  if (typeof value !== 'object' || value === null) return String(value)
  if (levels === 0) return Array.isArray(value) ? '[…]' : '{…}'
  if (Array.isArray(value)) {
    const shown = value.slice(0, MAX_MEMBERS).map((item) => writePreview(item, levels - 1))
    return `[${shown.join(',')}${value.length > MAX_MEMBERS ? ',…' : ''}]`
  }
  const keys = Object.keys(value)
  const shown = keys
    .slice(0, MAX_MEMBERS)
    .map((key) => `${quote(key)}:${writePreview(value[key] as Json, levels - 1)}`)
  return `{${shown.join(',')}${keys.length > MAX_MEMBERS ? ',…' : ''}}`
}

/** Quotes a text as JSON, and escapes what cannot be told apart by eye, such as no-break spaces. */
function quote(text: string): string {
  return JSON.stringify(text.slice(0, MAX_TEXT)).replaceAll(LOOK_ALIKES, escapeOne)
}

/** Cuts a text to at most `longest` characters; `…` stands for what was cut. */
export function cut(text: string, longest = 60): string {
  return text.length > longest ? `${takeStart(text, longest - 1)}…` : text
}

/** The first `length` UTF-16 units of a text, or one fewer if that would split a surrogate pair. */
export function takeStart(text: string, length: number): string {
  return text.slice(0, /[\ud800-\udbff]/.test(text[length - 1] ?? '') ? length - 1 : length)
}

/** Formats a cycle of names: `a → b → a`; a long one is cut in the middle. */
export function showCycle(names: readonly string[]): string {
  const shown = names.length > 12 ? [...names.slice(0, 6), '…', ...names.slice(-5)] : names
  return [...shown, names[0]].join(' → ')
}

export function listNames(names: readonly string[]): string {
  const shown = names
    .slice(0, 12)
    .map((name) => escapeControl(cut(name)).replaceAll(LOOK_ALIKES, escapeOne) || "''")
  return names.length > 12 ? `${shown.join(', ')} … (${names.length} in all)` : shown.join(', ')
}
