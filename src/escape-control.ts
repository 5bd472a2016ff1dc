import type { Json } from './json.ts'

// Cc: C0, DEL and C1. Cs: lone surrogates. U+FFFE and U+FFFF: forbidden in XML 1.0. The rest starts commands
// of CI: GitHub's `::error::` first in a line, blanks aside; `##[error]`, `##vso[` and `##teamcity[` anywhere.
// Characters without width that no script needs are not unsafe, but make a text look like another.
const unsafe =
  /[\p{Cc}\p{Cs}\p{Bidi_Control}\xad\u200b\u2028\u2029\u2060\ufeff\ufffe\uffff]|(?<=^\s*):(?=:[\w-]+(?: |::))|#(?=#\w*\[)/mu
const everyUnsafe = new RegExp(unsafe, 'gmu')
const everyUnsafeInLines = new RegExp(`(?![\\n\\t])(?:${unsafe.source})`, 'gmu')

const short: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Makes text safe for one line of a terminal or XML file: what is unsafe is written as `\x1b` or `\u202e`. */
export function escapeControl(text: string): string {
  return unsafe.test(text) ? text.replace(everyUnsafe, escapeOne) : text
}

/** Like `escapeControl`, but keeps line feeds and tabs: for messages and diffs of several lines. */
export function escapeControlInLines(text: string): string {
  return unsafe.test(text) ? text.replaceAll('\r\n', '\n').replace(everyUnsafeInLines, escapeOne) : text
}

export function escapeControlInValue(value: Json): Json {
  if (typeof value === 'string') return escapeControl(value)
  if (Array.isArray(value)) return value.map(escapeControlInValue)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [escapeControl(key), escapeControlInValue(child)]),
  )
}

/** Escapes one UTF-16 unit: as `\n`, `\r` or `\t`, else as `\x1b` below U+0100, else as `\u202e`. */
export function escapeOne(character: string): string {
  const code = character.charCodeAt(0)
  const hex = code.toString(16)
  return short[character] ?? (code < 256 ? `\\x${hex.padStart(2, '0')}` : `\\u${hex.padStart(4, '0')}`)
}
