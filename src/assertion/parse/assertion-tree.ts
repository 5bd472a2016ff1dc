import { hasTemplate } from '../../interpolation/template.ts'
import { isJsonObject, makeMap, type Json, type JsonObject, type ValuePath } from '../../json.ts'
import type { ParsePlace } from '../../path/parse-place.ts'
import { parseFieldPath, showPathStep, type PathStep, type Segment } from '../../path/field-path.ts'
import { refuseTemplate } from './add-check.ts'

/** A value in a tree. `below`: the rest of its flat key (`items[0].id: 5`). `whole`: its keys are names. */
export type TreeNode = { at: ValuePath; json: Json; below: readonly Segment[]; whole?: boolean }

/**
 * One key of a map. `quoted`: it is a field, even if an operator has that name. `quotes`: it is the key
 * `field`, which quotes the names in its map. (In a flat path, `field` is a name like any other.)
 */
export type TreeEntry = { name: PathStep; quoted: boolean; quotes?: boolean; node: TreeNode }

export function isMapNode({ json, below }: TreeNode): boolean {
  return below.length > 0 || isJsonObject(json)
}

export function isEmptyMap({ json, below }: TreeNode): boolean {
  return below.length === 0 && isJsonObject(json) && Object.keys(json).length === 0
}

/** Lists the entries of a map with its flat keys expanded, and reports keys that are not paths. */
export function listNodeEntries(place: ParsePlace, { whole = false, ...node }: TreeNode): TreeEntry[] {
  const [first, ...below] = node.below
  if (first) return [{ ...first, node: { ...node, below } }]
  return Object.entries(node.json as JsonObject).flatMap(([key, json]) => {
    const at = [...node.at, key]
    const segments = whole ? [{ name: key, quoted: true }] : parseFieldPath(key)
    if (typeof segments === 'string') {
      reportBadKey(place, at, segments)
      return []
    }
    const [{ name, quoted }, ...rest] = segments as [Segment, ...Segment[]]
    return [{ name, quoted, quotes: !whole && key === 'field', node: { at, json, below: rest } }]
  })
}

/** Turns a node back into plain data: the operand of an operator. */
export function toOperand({ json, below }: TreeNode): Json {
  return below.reduceRight<Json>((inner, { name }) => makeMap([[showPathStep(name), inner]]), json)
}

/** Reports a key that is neither a name nor a flat path, and why. */
export function reportBadKey(place: ParsePlace, at: ValuePath, problem: string): void {
  const key = String(at.at(-1))
  if (hasTemplate(key)) return place.report(at, refuseTemplate(key), 'key')
  // A key of `assert` itself starts with `body` or `headers`: no response has a field of that name.
  const hint =
    at.length === 1
      ? `Write a path like \`body.items[0].id\`, or \`body.items[*].id\` for all.`
      : `Write a path like \`items[0].id\`, or \`field: {${JSON.stringify(key)}: …}\` for a field with exactly this name.`
  place.report(at, { code: 'bad-path', message: `\`${key}\` is not a path: ${problem}.`, hint }, 'key')
}
