import { compareCodePoints } from './code-points.ts'
import { lineBreak } from './indent.ts'
import { quoteString } from './quote-string.ts'

const FEW = 32

/** The members of an object, put in order as they are read: few by insertion, many at the end. */
export class Members {
  /** Characters that it takes to print them. */
  length = 0
  private readonly depth: number
  private readonly keys: string[] = []
  /** Printed values, in the order of the keys. */
  private readonly values: string[] = []
  /** Whether the keys so far are in order and without repetition. */
  private sorted = true
  /** Whether no key needs an escape: such keys are ASCII and compare as they stand. */
  private plain = true

  /** @param depth levels of indentation around the object */
  constructor(depth: number) {
    this.depth = depth
  }

  /** Adds a member with its printed value; `plain` says that the key needs no escape. */
  add(key: string, value: string, plain: boolean): void {
    const { keys } = this
    const count = keys.length
    this.length += key.length + value.length + 2 * this.depth + 8
    this.plain &&= plain
    if (count === 0 || !this.sorted) return this.append(key, value)
    if (!this.plain) {
      this.sorted = false
      return this.append(key, value)
    }
    if ((keys[count - 1] ?? '') < key) return this.append(key, value)
    if (count < FEW) return this.insert(key, value)
    this.sorted = false
    return this.append(key, value)
  }

  /** The object with its keys in order; of repeated keys the last one counts. */
  print(): string {
    const { keys, values, plain } = this.sorted ? this : this.inOrder()
    const line = lineBreak(this.depth + 1)
    let printed = '{'
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index] ?? ''
      const name = plain ? `"${key}"` : quoteString(key)
      printed += index === 0 ? `${line}${name}: ${values[index]}` : `,${line}${name}: ${values[index]}`
    }
    return `${printed}${lineBreak(this.depth)}}`
  }

  private append(key: string, value: string): void {
    this.keys.push(key)
    this.values.push(value)
  }

  private insert(key: string, value: string): void {
    const { keys, values } = this
    let place = keys.length
    while (place > 0 && (keys[place - 1] ?? '') >= key) place--
    if (keys[place] === key) {
      values[place] = value
      return
    }
    for (let index = keys.length; index > place; index--) {
      keys[index] = keys[index - 1] ?? ''
      values[index] = values[index - 1] ?? ''
    }
    keys[place] = key
    values[place] = value
  }

  private inOrder(): Members {
    const last = new Map<string, number>()
    for (const [index, key] of this.keys.entries()) last.set(key, index)
    const sorted = new Members(this.depth)
    sorted.plain = this.plain
    for (const key of this.plain ? [...last.keys()].toSorted() : [...last.keys()].toSorted(compareCodePoints))
      sorted.append(key, this.values[last.get(key) ?? 0] ?? '')
    return sorted
  }
}
