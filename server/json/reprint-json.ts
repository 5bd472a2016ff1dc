import { lineBreak } from './indent.ts'
import { Members } from './members.ts'
import { quoteString } from './quote-string.ts'

/** Containers nested deeper than this are taken for invalid JSON, as Python's parser gives up at about this depth. */
const MAX_JSON_DEPTH = 1000

/** The most keys and values of a document; with more, printing would keep other clients waiting. */
const MAX_JSON_VALUES = 1_000_000

/** Thrown when a document has more values, or a longer printed form, than allowed. */
export class JsonTooLarge extends Error {}

const INVALID = new SyntaxError('invalid JSON')
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const WORDS: Record<string, string> = { t: 'true', f: 'false', n: 'null' }

/**
 * Prints a JSON text anew, as `printJson` would print its value, without building the value: numbers keep their source
 * text, of repeated keys the last one counts. Returns undefined when `text` is not JSON (RFC 8259).
 * @param depth levels of indentation around the document
 * @throws JsonTooLarge when there are too many values, or the result would be longer than `maxLength` characters
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
  private count = 0
  /** Whether the string read last needs no escape, so that its source is its printed form. */
  private plain = true
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
    if (++this.count > MAX_JSON_VALUES) throw new JsonTooLarge()
    const code = this.next()
    if (code === 34) {
      const source = this.string()
      return this.plain ? source : quoteString(decodeString(source))
    }
    if (code === 123) return this.object(depth)
    if (code === 91) return this.array(depth)
    return code === 45 || (code >= 48 && code <= 57) ? this.number() : this.word()
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

  /** The source of a string, quotes included; escapes are not checked yet. */
  private string(): string {
    const { text } = this
    const start = this.position
    let position = start + 1
    let plain = true
    let code = text.charCodeAt(position)
    while (code !== 34) {
      if (code === 92) {
        plain = false
        position++
      } else if (code > 126) plain = false
      else if (!(code >= 32)) throw INVALID
      code = text.charCodeAt(++position)
    }
    this.plain = plain
    this.position = position + 1
    return text.slice(start, this.position)
  }

  private array(depth: number): string {
    this.enter(depth)
    if (this.next() === 93) return this.leave('[]')
    const line = lineBreak(depth + 1)
    let printed = `[${line}${this.value(depth + 1)}`
    while (this.next() === 44) {
      this.position++
      printed += `,${line}${this.value(depth + 1)}`
      if (printed.length > this.maxLength) throw new JsonTooLarge()
    }
    if (this.next() !== 93) throw INVALID
    return this.leave(`${printed}${lineBreak(depth)}]`)
  }

  private object(depth: number): string {
    this.enter(depth)
    if (this.next() === 125) return this.leave('{}')
    const members = new Members(depth)
    this.member(members, depth + 1)
    while (this.next() === 44) {
      this.position++
      this.member(members, depth + 1)
    }
    if (this.next() !== 125) throw INVALID
    return this.leave(members.print())
  }

  private member(members: Members, depth: number): void {
    if (this.next() !== 34) throw INVALID
    const source = this.string()
    const { plain } = this
    this.count++
    const key = plain ? source.slice(1, -1) : decodeString(source)
    if (this.next() !== 58) throw INVALID
    this.position++
    members.add(key, this.value(depth), plain)
    if (members.length > this.maxLength) throw new JsonTooLarge()
  }

  private enter(depth: number): void {
    if (depth - this.depth >= MAX_JSON_DEPTH) throw INVALID
    this.position++
  }

  private leave(printed: string): string {
    this.position++
    return printed
  }
}

function decodeString(source: string): string {
  try {
    return String(JSON.parse(source))
  } catch {
    throw INVALID
  }
}
