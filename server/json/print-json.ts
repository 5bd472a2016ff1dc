import { HttpProblem } from '../http-problem.ts'
import { isNumberText } from './parse-json.ts'

/**
 * Prints a value as httpbin does: indent 2, keys sorted by code point, ASCII only, empty `{}` and `[]` inline. A `Map` is
 * an object whose names came from a client; what is not plain data is printed as `JSON.stringify` sees it.
 * @throws HttpProblem 413 when the text would be longer than `maxLength`
 */
export function printJson(value: unknown, maxLength = Number.POSITIVE_INFINITY): string {
  return new JsonPrinter(maxLength).print(value, '\n')
}

class JsonPrinter {
  private length = 0
  private readonly maxLength: number

  constructor(maxLength: number) {
    this.maxLength = maxLength
  }

  /** @param line the line break, with the indentation of the value */
  print(value: unknown, line: string): string {
    if (typeof value === 'string') return this.count(quoteString(value))
    if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
    if (Array.isArray(value)) return this.printList(value, line)
    if (isNumberText(value)) return value.rawJSON
    if ('toJSON' in value) return this.print(JSON.parse(JSON.stringify(value) ?? 'null'), line)
    return this.printObject(value instanceof Map ? [...value] : Object.entries(value), line)
  }

  private printList(items: unknown[], line: string): string {
    if (items.length === 0) return '[]'
    const inner = this.count(`${line}  `)
    let printed = ''
    for (const item of items)
      printed += `${printed === '' ? '[' : ','}${this.count(inner)}${this.print(item, inner)}`
    return `${printed}${line}]`
  }

  private printObject(entries: [string, unknown][], line: string): string {
    if (entries.length > 1) entries.sort(([a], [b]) => compareCodePoints(a, b))
    const inner = this.count(`${line}  `)
    let printed = ''
    for (const [key, member] of entries) {
      if (member === undefined) continue
      const name = this.count(quoteString(key))
      printed += `${printed === '' ? '{' : ','}${this.count(inner)}${name}: ${this.print(member, inner)}`
    }
    return printed === '' ? '{}' : `${printed}${line}}`
  }

  private count(text: string): string {
    this.length += text.length
    if (this.length > this.maxLength) throw new HttpProblem(413, 'the JSON is too large when it is printed')
    return text
  }
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

const HAS_SURROGATE = /[\ud800-\udfff]/

/** Orders two strings by code point, as Python sorts keys; JavaScript's own order is by UTF-16 unit. */
export function compareCodePoints(a: string, b: string): number {
  if (!HAS_SURROGATE.test(a) && !HAS_SURROGATE.test(b)) return a < b ? -1 : Number(a > b)
  const left = Array.from(a, (character) => character.codePointAt(0) ?? 0)
  const right = Array.from(b, (character) => character.codePointAt(0) ?? 0)
  const differing = left.findIndex((point, index) => point !== right[index])
  return differing < 0 ? left.length - right.length : (left[differing] ?? 0) - (right[differing] ?? -1)
}
