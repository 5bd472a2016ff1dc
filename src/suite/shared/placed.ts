import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import type { SourceNode, ValuePath } from '../source-tree.ts'

/** A value with the places of its parts. */
export type Placed = { value: Json; node: SourceNode }

/** The entries of a map with their places; none for anything else. */
export function listPlaced({ value, node }: Placed): Map<string, Placed> {
  if (!isJsonObject(value)) return new Map()
  return new Map(
    Object.entries(value).map(([key, child]) => [
      key,
      { value: child, node: node.children?.get(key) ?? { range: node.range } },
    ]),
  )
}

/** Makes a map of entries again; it stands where `range` says. */
export function joinPlaced(entries: ReadonlyMap<string, Placed>, { range, key }: SourceNode): Placed {
  const value: JsonObject = Object.create(null)
  for (const [name, part] of entries) value[name] = part.value
  const children = new Map([...entries].map(([name, part]) => [name, part.node]))
  return { value, node: { range, children, ...(key && { key }) } }
}

/** Puts a value into a map at a path, with its place; what is there already is copied, never changed. */
export function placeAt(owner: Placed, [first, ...rest]: ValuePath, part: Placed): Placed {
  if (first === undefined) return part
  const { value, node } = owner
  const child = node.children?.get(first) ?? { range: node.range }
  const copy = Array.isArray(value) ? [...value] : Object.assign(Object.create(null) as JsonObject, value)
  const inner = (copy as JsonObject)[first] ?? Object.create(null)
  const placed = placeAt({ value: inner as Json, node: child }, rest, part)
  ;(copy as JsonObject)[first] = placed.value
  return {
    value: copy,
    node: { ...node, children: new Map([...(node.children ?? []), [first, placed.node]]) },
  }
}
