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

/** A copy of a map or list with changed entries; anything else is returned as is. */
export function changeEntries(
  placed: Placed,
  change: (entry: Placed, key: string | number) => Placed,
): Placed {
  const { value, node } = placed
  const changed = listEntries(placed).map(([key, entry]) => [key, change(entry, key)] as const)
  if (isJsonObject(value)) return joinFields(new Map(changed as [string, Placed][]), node)
  if (!Array.isArray(value)) return placed
  const children = new Map(changed.map(([key, entry]) => [key, entry.node]))
  return { value: changed.map(([, entry]) => entry.value), node: { ...node, children } }
}
