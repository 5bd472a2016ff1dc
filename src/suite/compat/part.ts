import { isJsonObject, type JsonObject } from '../../json.ts'
import type { LoadContext } from '../load-context.ts'
import { listEntries, pick, type Placed } from '../shared/placed.ts'
import type { SourceNode } from '../source-tree.ts'

/** A map of the suite being rewritten, with the positions of its entries. */
export type Part = { value: JsonObject; node: SourceNode }

/** The map under a key; undefined if there is none. */
export function pickMap(part: Part, key: string): Part | undefined {
  const placed = pick(part, key)
  return placed && isMap(placed) ? placed : undefined
}

/** The items of the list under a key; none if there is no list. */
export function listItems(part: Part, key: string): Placed[] {
  const list = pick(part, key)
  return list && Array.isArray(list.value) ? listEntries(list).map(([, item]) => item) : []
}

/** True if the value is a map. */
export function isMap(placed: Placed): placed is Part {
  return isJsonObject(placed.value)
}

/** Removes a key from a map and returns its value; undefined if there is none. */
export function take(part: Part, key: string): Placed | undefined {
  const taken = pick(part, key)
  delete part.value[key]
  return taken
}

/** Adds a value, if there is one, under a key, unless the author has written that key. */
export function put({ value, node }: Part, key: string, placed: Placed | undefined): void {
  if (!placed || Object.hasOwn(value, key)) return
  value[key] = placed.value
  node.children?.set(key, placed.node === node ? { range: node.range } : placed.node)
}

type Why = { reason: string; context: LoadContext }

/** Removes a key that is accepted but has no effect, with a warning that says why. */
export function ignore(part: Part, key: string, { reason, context }: Why): void {
  const taken = take(part, key)
  if (taken) warnIgnored(taken, `\`${key}\` is ignored: ${reason}.`, context)
}

/** Warns that something is accepted and ignored. */
export function warnIgnored({ node }: Placed, message: string, context: LoadContext): void {
  context.reportAt(node.key ?? node.range, { code: 'ignored', message })
}
