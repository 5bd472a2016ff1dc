import { isJsonObject, makeMap, type Json, type JsonObject, type ValuePath } from '../../json.ts'
import type { SourceNode } from '../source-tree.ts'

export type Placed = { value: Json; node: SourceNode }

/** An entry of a map or list; undefined if there is none. */
export function pick({ value, node }: Placed, key: string | number): Placed | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return { value: (value as JsonObject)[key] as Json, node: node.children?.get(key) ?? { range: node.range } }
}

/** The entries of a map or list with their positions; none for anything else. */
export function listEntries(placed: Placed): [key: string | number, entry: Placed][] {
  const { value } = placed
  const keys = Array.isArray(value) ? value.keys() : isJsonObject(value) ? Object.keys(value) : []
  return [...keys].map((key) => [key, pick(placed, key) as Placed])
}

export function listFields(placed: Placed): Map<string, Placed> {
  return new Map(isJsonObject(placed.value) ? (listEntries(placed) as [string, Placed][]) : [])
}

export function joinFields(fields: ReadonlyMap<string, Placed>, { range, key }: SourceNode): Placed {
  const value = makeMap([...fields].map(([name, part]) => [name, part.value]))
  const children = new Map([...fields].map(([name, part]) => [name, part.node]))
  return { value, node: { range, children, ...(key && { key }) } }
}

/** Tells which names under `key` the fields of a map replace. Those of `headers` have any case. */
export function findReplaced(fields: JsonObject, key: string): (name: string) => boolean {
  const fold = (name: string): string => (key === 'headers' ? name.toLowerCase() : name)
  const own = new Set(Object.keys(fields).map(fold))
  return (name) => own.has(fold(name))
}

/** A copy with a change of the maps at a path, where they are; `*` stands for each item of a list. `change` gets the path of each. */
export function changeMaps(
  placed: Placed,
  [key, ...rest]: readonly string[],
  change: (map: Placed, path: ValuePath) => Placed,
): Placed {
  if (key === undefined) return isJsonObject(placed.value) ? change(placed, []) : placed
  const changePart = (part: Placed, at: string | number): Placed =>
    changeMaps(part, rest, (map, path) => change(map, [at, ...path]))
  if (key === '*')
    return Array.isArray(placed.value)
      ? joinItems(
          listEntries(placed).map(([index, item]) => changePart(item, index)),
          placed.node,
        )
      : placed
  const part = isJsonObject(placed.value) ? pick(placed, key) : undefined
  return part ? joinFields(listFields(placed).set(key, changePart(part, key)), placed.node) : placed
}

export function joinItems(items: readonly Placed[], node: SourceNode): Placed {
  const children = new Map(items.map((item, index) => [index, item.node]))
  return { value: items.map(({ value }) => value), node: { ...node, children } }
}
