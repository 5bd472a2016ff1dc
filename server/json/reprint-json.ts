import { compareCodePoints } from './code-points.ts'
import { lineBreak } from './indent.ts'
import { quoteString } from './quote-string.ts'

/** Containers nested deeper than this are taken for invalid JSON, as Python's parser gives up at about this depth. */
export const MAX_JSON_DEPTH = 1000

/** Thrown when the printed form of a document is larger than allowed. */
export class PrintedJsonTooLarge extends Error {}

const INVALID = new SyntaxError('invalid JSON')
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const WORDS: Record<string, string> = { t: 'true', f: 'false', n: 'null' }

/**
 * Prints a JSON text anew, as `printJson` would print its value, without building the value: numbers keep their source
 * text, of repeated keys the last one counts. Returns undefined when `text` is not JSON (RFC 8259).
 * @param depth levels of indentation around the document
 * @throws PrintedJsonTooLarge when the result would be longer than `maxLength` characters
 */
export function reprintJson(text: string, depth: number, maxLength: number): string | undefined {
  try {
    return new Reprinter(text, depth, maxLength).document()
  } catch (error) {
    if (error === INVALID) return undefined
    throw error
  }
}

class Reprinter {
  private position = 0
  private length = 0
  private readonly text: string
  private readonly depth: number
  private readonly maxLength: number

  constructor(text: string, depth: number, maxLength: number) {
    this.text = text
    this.depth = depth
    this.maxLength = maxLength
  }

  document(): string {
    const printed = this.value(this.depth)
    this.next()
    if (this.position < this.text.length) throw INVALID
    return printed
  }

  /** Skips white space and returns the code of the character there, NaN at the end. */
  private next(): number {
    let code = this.text.charCodeAt(this.position)
    while (code === 32 || code === 10 || code === 13 || code === 9)
      code = this.text.charCodeAt(++this.position)
    return code
  }

  private value(depth: number): string {
    const code = this.next()
    if (code === 34) return this.measure(this.string())
    if (code === 123) return this.object(depth)
    if (code === 91) return this.array(depth)
    if (code === 45 || (code >= 48 && code <= 57)) return this.measure(this.number())
    return this.measure(this.word())
  }

  private measure(printed: string): string {
    this.grow(printed.length)
    return printed
  }

  private grow(length: number): void {
    this.length += length
    if (this.length > this.maxLength) throw new PrintedJsonTooLarge()
  }

  private number(): string {
    NUMBER.lastIndex = this.position
    if (!NUMBER.test(this.text)) throw INVALID
    const start = this.position
    this.position = NUMBER.lastIndex
    return this.text.slice(start, this.position)
  }

  private word(): string {
    const word = WORDS[this.text.charAt(this.position)]
    if (word === undefined || !this.text.startsWith(word, this.position)) throw INVALID
    this.position += word.length
    return word
  }

  /** A string in its printed form: most need no escape and are taken over as they stand. */
  private string(): string {
    const start = this.position
    let plain = true
    let code = this.text.charCodeAt(++this.position)
    while (code !== 34) {
      if (code === 92) {
        plain = false
        this.position++
      } else if (code > 126) plain = false
      else if (!(code >= 32)) throw INVALID
      code = this.text.charCodeAt(++this.position)
    }
    const source = this.text.slice(start, ++this.position)
    return plain ? source : quoteString(decodeString(source))
  }

  private array(depth: number): string {
    this.enter(depth)
    if (this.next() === 93) return this.close('[]')
    const line = lineBreak(depth + 1)
    let printed = '['
    for (;;) {
      this.grow(line.length + 1)
      printed += line + this.value(depth + 1)
      if (this.next() !== 44) break
      this.position++
      printed += ','
    }
    if (this.next() !== 93) throw INVALID
    this.position++
    return `${printed}${lineBreak(depth)}]`
  }

  private object(depth: number): string {
    this.enter(depth)
    if (this.next() === 125) return this.close('{}')
    const members: Members = { keys: [], values: [], sorted: true }
    for (;;) {
      this.member(members, depth + 1)
      if (this.next() !== 44) break
      this.position++
    }
    if (this.next() !== 125) throw INVALID
    this.position++
    return printMembers(members.sorted ? members : sortMembers(members), depth)
  }

  private member(members: Members, depth: number): void {
    if (this.next() !== 34) throw INVALID
    const key = this.string()
    if (this.next() !== 58) throw INVALID
    this.position++
    this.grow(lineBreak(depth).length + key.length + 3)
    const previous = members.keys.at(-1)
    if (previous !== undefined && !(members.sorted && isBefore(previous, key))) members.sorted = false
    members.keys.push(key)
    members.values.push(this.value(depth))
  }

  private enter(depth: number): void {
    if (depth - this.depth >= MAX_JSON_DEPTH) throw INVALID
    this.position++
  }

  private close(printed: string): string {
    this.position++
    return this.measure(printed)
  }
}

interface Members {
  /** Printed keys, in the order sent. */
  keys: string[]
  values: string[]
  /** Whether the keys are known to be in order and without repetition. */
  sorted: boolean
}

/** Whether two printed keys are certainly in order: only keys without escapes are compared as they stand. */
function isBefore(a: string, b: string): boolean {
  return !a.includes('\\') && !b.includes('\\') && a.slice(1, -1) < b.slice(1, -1)
}

function sortMembers({ keys, values }: Members): Members {
  const last = new Map<string, number>()
  for (const [index, key] of keys.entries()) last.set(key, index)
  const order = [...last].map(([key, index]) => ({
    index,
    name: key.includes('\\') ? decodeString(key) : key.slice(1, -1),
  }))
  order.sort((a, b) => compareCodePoints(a.name, b.name))
  const pick = (list: string[]): string[] => order.map(({ index }) => list[index] ?? '')
  return { keys: pick(keys), values: pick(values), sorted: true }
}

function printMembers({ keys, values }: Members, depth: number): string {
  const line = lineBreak(depth + 1)
  let printed = '{'
  for (let index = 0; index < keys.length; index++) {
    printed += `${index === 0 ? '' : ','}${line}${keys[index]}: ${values[index]}`
  }
  return `${printed}${lineBreak(depth)}}`
}

function decodeString(source: string): string {
  try {
    return String(JSON.parse(source))
  } catch {
    throw INVALID
  }
}
