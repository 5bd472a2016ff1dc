import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import type { SourceNode } from '../source-tree.ts'

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

/** Makes a map of entries again; it is where `range` says. */
export function joinPlaced(entries: ReadonlyMap<string, Placed>, { range, key }: SourceNode): Placed {
  const value: JsonObject = Object.create(null)
  for (const [name, part] of entries) value[name] = part.value
  const children = new Map([...entries].map(([name, part]) => [name, part.node]))
  return { value, node: { range, children, ...(key && { key }) } }
}

/** Changes the map under a key; nothing where there is none. */
export function change(
  part: Map<string, Placed>,
  key: string,
  rewrite: (child: Map<string, Placed>) => void,
): void {
  const placed = part.get(key)
  if (!placed || !isJsonObject(placed.value)) return
  const child = listPlaced(placed)
  rewrite(child)
  part.set(key, joinPlaced(child, placed.node))
}

/** The items of a list with their places; none for anything else. */
export function listItems({ value, node }: Placed): Placed[] {
  if (!Array.isArray(value)) return []
  return value.map((item, index) => ({
    value: item,
    node: node.children?.get(index) ?? { range: node.range },
  }))
}

/** Makes a list of items again. */
export function joinItems(items: readonly Placed[], node: SourceNode): Placed {
  const children = new Map(items.map((item, index) => [index, item.node]))
  return { value: items.map(({ value }) => value), node: { ...node, children } }
}

/** Changes the branches of the scenarios of a step. */
export function changeBranches(
  step: Map<string, Placed>,
  rewrite: (branch: Map<string, Placed>) => void,
): void {
  changeItems(step, 'scenarios', (scenario) => {
    const branches = listPlaced(scenario)
    for (const key of ['then', 'else']) change(branches, key, rewrite)
    return joinPlaced(branches, scenario.node)
  })
}

/** Changes the maps among the items of the list under a key, or takes them out; nothing where there is no list. */
export function changeItems(
  part: Map<string, Placed>,
  key: string,
  change: (item: Placed, index: number) => Placed | undefined,
): void {
  const list = part.get(key)
  if (!list || !Array.isArray(list.value)) return
  const items = listItems(list).flatMap((item, index) =>
    isJsonObject(item.value) ? (change(item, index) ?? []) : [item],
  )
  part.set(key, joinItems(items, list.node))
}
