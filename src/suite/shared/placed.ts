import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import type { SourceNode } from '../source-tree.ts'

/** A value with the places of its parts. */
export type Placed = { value: Json; node: SourceNode }

/** An entry of a map or list; undefined where there is none. */
export function pick({ value, node }: Placed, key: string | number): Placed | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return { value: (value as JsonObject)[key] as Json, node: node.children?.get(key) ?? { range: node.range } }
}

/** The entries of a map with their places; none for anything else. */
export function listPlaced(placed: Placed): Map<string, Placed> {
  const keys = isJsonObject(placed.value) ? Object.keys(placed.value) : []
  return new Map(keys.map((key) => [key, pick(placed, key) as Placed]))
}

/** Makes a map of entries again; it is where `range` says. */
export function joinPlaced(entries: ReadonlyMap<string, Placed>, { range, key }: SourceNode): Placed {
  const value: JsonObject = Object.create(null)
  for (const [name, part] of entries) value[name] = part.value
  const children = new Map([...entries].map(([name, part]) => [name, part.node]))
  return { value, node: { range, children, ...(key && { key }) } }
}

/** A map or list with other entries, the keys of a map also by other names; anything else as it is. */
export function changeEntries(
  placed: Placed,
  change: (entry: Placed, key: string | number) => Placed,
  rename = (key: string): string => key,
): Placed {
  const { value, node } = placed
  if (!Array.isArray(value)) {
    if (!isJsonObject(value)) return placed
    return joinPlaced(
      new Map([...listPlaced(placed)].map(([key, entry]) => [rename(key), change(entry, key)])),
      node,
    )
  }
  const items = value.map((_, index) => change(pick(placed, index) as Placed, index))
  const children = new Map(items.map((item, index) => [index, item.node]))
  return { value: items.map((item) => item.value), node: { ...node, children } }
}
