import type { ValuePath } from '../json.ts'
import type { Place, Position } from '../source.ts'

/** Where each value of a parsed file stands; mirrors the value's maps and lists. */
export type SourceNode = {
  range: Place
  /** Range of the key, for values in maps. */
  key?: Place
  children?: Map<string | number, SourceNode>
  /** Nothing is written after the key. */
  empty?: true
  /** The value could not be read, which is reported: nothing more is to be said about it. */
  broken?: true
}

/** Finds the node at a path, or the nearest one above it that exists. */
export function findNode(root: SourceNode, path: ValuePath): SourceNode {
  let node = root
  for (const segment of path) {
    const child = node.children?.get(segment) ?? node.children?.get(String(segment))
    if (!child) return node
    node = child
  }
  return node
}

/** A path as one string, for lookups (RFC 6901, JSON pointer). */
export function toPointer(path: ValuePath): string {
  return path.map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** Positions of the `{{…}}` in the strings of a suite: pointer of the string → one position per `{{`. */
export type TemplatePositions = Record<string, Position[]>
