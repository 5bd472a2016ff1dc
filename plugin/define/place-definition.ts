import { isJsonObject, type Json } from '../../src/json.ts'
import type { SourceNode } from '../../src/suite/source-tree.ts'

/**
 * Finds where the parts of a definition stand in the TypeScript text that wrote it. Keys are looked for in their order
 * from the call on; what is not spelled out there (spread, computed) is placed where its surroundings are.
 */
export function placeDefinition(value: Json, text: string, start: number): SourceNode {
  let cursor = start
  const visit = (part: Json, from: number): SourceNode => {
    const node: SourceNode = { range: [from, from + 1], children: new Map() }
    const entries = Array.isArray(part) ? [...part.entries()] : isJsonObject(part) ? Object.entries(part) : []
    for (const [key, child] of entries) {
      const found = typeof key === 'string' ? findKey(text, key, cursor) : undefined
      if (found) cursor = found.end
      else if (typeof key === 'number') cursor = Math.max(cursor, findValue(text, child, cursor) ?? cursor)
      const at = found ? skipBlank(text, found.end) : typeof key === 'number' ? skipBlank(text, cursor) : from
      const placed = visit(child as Json, at)
      node.children?.set(key, { ...placed, ...(found && { key: [found.start, found.end - 1] as const }) })
    }
    return node
  }
  return visit(value, start)
}

/** Keys are found only near the last one, so that a missing key does not take the place of a later one. */
const NEAR = 4000

function findKey(text: string, key: string, from: number): { start: number; end: number } | undefined {
  const name = key.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  const pattern = new RegExp(`(?<![\\w$.])["'\`]?${name}["'\`]?\\s*:`, 'g')
  pattern.lastIndex = from
  const match = pattern.exec(text.slice(0, from + NEAR))
  return match ? { start: match.index, end: match.index + match[0].length } : undefined
}

/** Items of a list have no key: a map is found by its first key. */
function findValue(text: string, value: Json, from: number): number | undefined {
  const first = isJsonObject(value) ? Object.keys(value)[0] : undefined
  const found = first === undefined ? undefined : findKey(text, first, from)
  return found && Math.max(from, text.lastIndexOf('{', found.start))
}

function skipBlank(text: string, from: number): number {
  const blank = /\s*/y
  blank.lastIndex = from
  blank.exec(text)
  return Math.min(blank.lastIndex, Math.max(0, text.length - 1))
}
