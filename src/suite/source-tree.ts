import type { ValuePath } from '../json.ts'
import type { Place, Position } from '../source.ts'

/** The place of each value of a parsed file; mirrors the value's maps and lists. */
export type SourceNode = {
  range: Place
  key?: Place
  children?: Map<string | number, SourceNode>
  /** True if nothing is written after the key. */
  empty?: true
  /** True if the value was unreadable. That has been reported, so nothing more about it is. */
  broken?: true
}

/** The node at a path, or the nearest existing one above it. */
export function findNode(root: SourceNode, path: ValuePath): SourceNode {
  let node = root
  for (const segment of path) {
    const child = node.children?.get(segment) ?? node.children?.get(String(segment))
    if (!child) return node
    node = child
  }
  return node
}

/** Positions of the `{{…}}` in a suite: JSON pointer to the string → one position per `{{`. */
export type TemplatePositions = Record<string, Position[]>
