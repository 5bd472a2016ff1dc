import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import type { LoadContext } from '../load-context.ts'
import type { SourceNode } from '../source-tree.ts'

/** A value together with where it stands. */
export type Placed = { value: Json; node: SourceNode }

/** A map that is being rewritten; what aliases share with it stays as it is. */
export type Part = {
  value: JsonObject
  children: Map<string | number, SourceNode>
  node: SourceNode
  context: LoadContext
}

/** Starts to rewrite a map. */
export function openPart({ value, node }: Placed, context: LoadContext): Part {
  const copy = Object.assign(Object.create(null) as JsonObject, value)
  return { value: copy, children: new Map(node.children), node, context }
}

/** The rewritten map with its places. */
export function closePart({ value, children, node }: Part): Placed {
  return { value, node: { ...node, children } }
}

/** Takes a key out of a map; undefined when it is not there. */
export function take({ value, children, node }: Part, key: string): Placed | undefined {
  if (!Object.hasOwn(value, key)) return undefined
  const taken = { value: value[key] as Json, node: children.get(key) ?? node }
  delete value[key]
  children.delete(key)
  return taken
}

/** Puts a value under a key, unless the author has written that key. */
export function put({ value, children }: Part, key: string, placed: Placed): void {
  if (Object.hasOwn(value, key)) return
  value[key] = placed.value
  children.set(key, placed.node)
}

/** The map under a key, opened; what is changed in it counts once it is put back with `update`. */
export function openChild(part: Part, key: string): Part | undefined {
  const value = Object.hasOwn(part.value, key) ? part.value[key] : undefined
  if (!isJsonObject(value)) return undefined
  return openPart({ value, node: part.children.get(key) ?? part.node }, part.context)
}

/** Puts a rewritten map back under its key. */
export function update(part: Part, key: string, child: Part): void {
  const { value, node } = closePart(child)
  part.value[key] = value
  part.children.set(key, node)
}

/** Takes keys out that are accepted and do nothing, each with a warning. */
export function ignore(part: Part, keys: readonly string[], reason: string): void {
  for (const key of keys) {
    const taken = take(part, key)
    if (taken) warnIgnored(part.context, { key, node: taken.node, reason })
  }
}

/** Warns that something is accepted and ignored. */
export function warnIgnored(
  { problems }: LoadContext,
  { key, node, reason }: { key: string; node: SourceNode; reason: string },
): void {
  problems.push({
    code: 'ignored',
    severity: 'warning',
    message: `\`${key}\` is ignored: ${reason}.`,
    range: node.key ?? node.range,
  })
}
