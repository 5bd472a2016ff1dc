import { compareCodePoints } from './code-points.ts'
import { lineBreak } from './indent.ts'
import { quoteString } from './quote-string.ts'

/** What the server prints: JSON values, with `Map` for names that come from a client. */
export type Printable =
  | string
  | number
  | boolean
  | null
  | readonly Printable[]
  | ReadonlyMap<string, Printable>
  | { readonly [name: string]: Printable }

/** Prints a value as httpbin does: indent 2, keys sorted by code point, ASCII only, empty `{}` and `[]` inline. */
export function printJson(value: Printable, depth = 0): string {
  if (typeof value === 'string') return quoteString(value)
  if (value === null || typeof value !== 'object') return String(value)
  if (isList(value)) return printList(value, depth)
  return printObject(value instanceof Map ? [...value] : Object.entries(value), depth)
}

function isList(value: object): value is readonly Printable[] {
  return Array.isArray(value)
}

function printList(items: readonly Printable[], depth: number): string {
  if (items.length === 0) return '[]'
  const line = lineBreak(depth + 1)
  const printed = items.map((item) => printJson(item, depth + 1))
  return `[${line}${printed.join(`,${line}`)}${lineBreak(depth)}]`
}

function printObject(entries: [string, Printable][], depth: number): string {
  if (entries.length === 0) return '{}'
  const line = lineBreak(depth + 1)
  const sorted = entries.length > 1 ? entries.toSorted(([a], [b]) => compareCodePoints(a, b)) : entries
  const printed = sorted.map(([key, value]) => `${quoteString(key)}: ${printJson(value, depth + 1)}`)
  return `{${line}${printed.join(`,${line}`)}${lineBreak(depth)}}`
}
