import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import type { NodePath, ParsePlace } from '../../errors.ts'
import { parseFieldPath, showStep, type PathStep, type Segment } from '../../path/field-path.ts'

/**
 * A node of the author's assertion tree. A flat key (`items[0].id: 5`) is opened into nodes with one entry each, which
 * all are at the place of that key.
 */
export type TreeNode = { at: NodePath } & ({ json: Json } | { entry: TreeEntry })

/**
 * One key of a map. `quoted` names are field names even where an operator has that name; `quotes` marks the key `field`,
 * which quotes the names in its map (in a flat path `field` is a name like any other).
 */
export type TreeEntry = { name: PathStep; quoted: boolean; quotes?: boolean; node: TreeNode }

/** A key that is not a path. */
export type BadKey = { at: NodePath; key: string; problem: string }

/** Lists the entries of a map with its flat keys opened; undefined when the node is not a map. With `whole`, keys are names as they stand. */
export function listEntries(node: TreeNode, whole = false): (TreeEntry | BadKey)[] | undefined {
  if ('entry' in node) return [node.entry]
  if (!isJsonObject(node.json)) return undefined
  return Object.entries(node.json).map(([key, json]) => {
    const inner: TreeNode = { at: [...node.at, key], json }
    if (whole) return { name: key, quoted: true, node: inner }
    const segments = parseFieldPath(key)
    if (typeof segments === 'string') return { at: inner.at, key, problem: segments }
    return key === 'field'
      ? { name: key, quoted: false, quotes: true, node: inner }
      : openSegments(segments, inner)
  })
}

/** Turns segments and the node they lead to into nested entries. */
export function openSegments(segments: readonly Segment[], inner: TreeNode): TreeEntry {
  let node = inner
  for (const segment of segments.slice(1).toReversed()) node = { at: inner.at, entry: { ...segment, node } }
  return { ...(segments[0] as Segment), node }
}

/** Writes a node back as plain data: the operand of an operator. */
export function readOperand(node: TreeNode): Json {
  if ('json' in node) return node.json
  const map = Object.create(null) as JsonObject
  map[showStep(node.entry.name)] = readOperand(node.entry.node)
  return map
}

/** Reports a key that is neither a name nor a flat path. */
export function reportBadKey(place: ParsePlace, bad: BadKey): void {
  // A key of `assert` itself starts with `body` or `headers`: no answer has a field of that name.
  const isWhole = bad.at.length === 1
  place.report(
    bad.at,
    {
      code: 'bad-path',
      message: `\`${bad.key}\` is not a path: ${bad.problem}.`,
      hint: isWhole
        ? `Write a path like \`body.items[0].id\`, or \`body.items[*].id\` for all.`
        : `Write a path like \`items[0].id\`, or \`field: {${JSON.stringify(bad.key)}: …}\` for a field with this very name.`,
    },
    'key',
  )
}
