import type { Json } from './json.ts'

// Cc: C0, DEL and C1. Cs: lone surrogates. The next two are the noncharacters XML 1.0 forbids. The rest starts commands: `::error::`
// after nothing but blanks in a line for GitHub, `##[error]`, `##vso[` and `##teamcity[` anywhere for GitHub, Azure and TeamCity.
const unsafe =
  /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029\ufffe\uffff]|(?<=^\s*):(?=:[\w-]+(?: |::))|#(?=#\w*\[)/mu
const everyUnsafe = new RegExp(unsafe, 'gmu')
const everyUnsafeInLines = new RegExp(`(?![\\n\\t])(?:${unsafe.source})`, 'gmu')

const short: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Escapes control characters (terminal sequences too), bidi controls, lone surrogates and what starts a command of CI as `\x1b`, `\u202e` …, for text on one line of a terminal or XML file. */
export function escapeControl(text: string): string {
  return unsafe.test(text) ? text.replace(everyUnsafe, escapeOne) : text
}

/** Like `escapeControl`, but keeps line feeds and tabs: for messages and diffs of several lines. */
export function escapeControlInLines(text: string): string {
  return unsafe.test(text) ? text.replaceAll('\r\n', '\n').replace(everyUnsafeInLines, escapeOne) : text
}

/** Like `escapeControl`, for all strings and keys in a value. */
export function escapeControlInValue(value: Json): Json {
  if (typeof value === 'string') return escapeControl(value)
  if (Array.isArray(value)) return value.map(escapeControlInValue)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [escapeControl(key), escapeControlInValue(child)]),
  )
}

/** Escapes one character. */
export function escapeOne(character: string): string {
  const code = character.charCodeAt(0)
  const hex = code.toString(16)
  return short[character] ?? (code < 256 ? `\\x${hex.padStart(2, '0')}` : `\\u${hex.padStart(4, '0')}`)
}
