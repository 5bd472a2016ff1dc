import { isJsonObject, makeMap, type Json, type JsonObject } from '../../json.ts'
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

/** A copy of a list with changed items. */
export function changeItems(list: Placed, change: (item: Placed, index: string | number) => Placed): Placed {
  return joinItems(
    listEntries(list).map(([index, item]) => change(item, index)),
    list.node,
  )
}

export function joinItems(items: readonly Placed[], node: SourceNode): Placed {
  const children = new Map(items.map((item, index) => [index, item.node]))
  return { value: items.map(({ value }) => value), node: { ...node, children } }
}
