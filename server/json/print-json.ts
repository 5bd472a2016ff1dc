import { HttpProblem } from '../http-problem.ts'
import { isNumberText } from './parse-json.ts'

/**
 * Prints a value as httpbin does: indent 2, keys sorted by code point, ASCII only, empty `{}` and `[]` inline. A `Map` is
 * an object whose names came from a client; what is not plain data is printed as `JSON.stringify` sees it.
 * @throws HttpProblem 413 when the text would be longer than `maxLength`
 */
export function printJson(root: unknown, maxLength = Number.POSITIVE_INFINITY): string {
  let length = 0

  /** `line` is the line break, with the indentation of the value. */
  function print(value: unknown, line: string): string {
    if (typeof value === 'string') return quoteString(value)
    if (typeof value === 'number' && Number.isFinite(value)) return String(value)
    if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
    if (Array.isArray(value)) return printList(value, line)
    if (value instanceof Map) return printObject([...value.keys()], (key) => value.get(key), line)
    if (isNumberText(value)) return value.rawJSON
    if ('toJSON' in value) return print(JSON.parse(JSON.stringify(value) ?? 'null'), line)
    return printObject(Object.keys(value), (key) => (value as Record<string, unknown>)[key], line)
  }

  function printList(items: unknown[], line: string): string {
    const inner = `${line}  `
    let printed = ''
    for (const item of items) printed += count(`${printed === '' ? '[' : ','}${inner}`, print(item, inner))
    return printed === '' ? '[]' : `${printed}${line}]`
  }

  function printObject(keys: string[], read: (key: string) => unknown, line: string): string {
    const inner = `${line}  `
    let printed = ''
    for (const key of sortKeys(keys)) {
      const value = read(key)
      if (value === undefined) continue
      const before = `${printed === '' ? '{' : ','}${inner}${quoteString(key)}: `
      printed += count(before, print(value, inner))
    }
    return printed === '' ? '{}' : `${printed}${line}}`
  }

  /** Puts a value behind what comes before it, which may be far longer. */
  function count(before: string, printed: string): string {
    length += before.length
    if (length > maxLength) throw new HttpProblem(413, 'the JSON is too large when it is printed')
    return before + printed
  }

  return print(root, '\n')
}

const NEEDS_ESCAPE = /[^ !#-[\]-~]/
const NOT_ASCII = /[^\0-~]/
const NOT_ASCII_RUNS = /[^\0-~]+/g
const HEX = Buffer.from('0123456789abcdef')

/** The JSON string for a text in ASCII only: `\uxxxx` in lower case for all outside 0x20–0x7e (RFC 8259, 7). */
function quoteString(text: string): string {
  if (!NEEDS_ESCAPE.test(text)) return `"${text}"`
  const quoted = JSON.stringify(text)
  return NOT_ASCII.test(text) ? quoted.replace(NOT_ASCII_RUNS, escapeRun) : quoted
}

/** Into a buffer: a body of ten million such characters takes a tenth of the time that joining strings would. */
function escapeRun(run: string): string {
  const bytes = Buffer.allocUnsafe(run.length * 6)
  for (let index = 0, place = 0; index < run.length; index++) {
    const unit = run.charCodeAt(index)
    bytes[place++] = 0x5c
    bytes[place++] = 0x75
    for (let shift = 12; shift >= 0; shift -= 4) bytes[place++] = HEX[(unit >> shift) & 15] ?? 0
  }
  return bytes.toString('latin1')
}

/** By code point, as Python sorts them: JavaScript's own order is that of UTF-16 units. */
function sortKeys(keys: string[]): string[] {
  return keys.some(hasSurrogate) ? keys.sort(compareCodePoints) : keys.sort()
}

function hasSurrogate(key: string): boolean {
  return /[\ud800-\udfff]/.test(key)
}

function compareCodePoints(a: string, b: string): number {
  const left = Array.from(a, (character) => character.codePointAt(0) ?? 0)
  const right = Array.from(b, (character) => character.codePointAt(0) ?? 0)
  const differing = left.findIndex((point, index) => point !== right[index])
  return differing < 0 ? left.length - right.length : (left[differing] ?? 0) - (right[differing] ?? -1)
}
