import type { LoadContext } from '../load-context.ts'
import { findNode, formatPath, type SourceNode, type ValuePath } from '../source-tree.ts'

// What stands below them is data, where nothing written is a null like any other.
const DATA = new Set([
  'equals',
  'not_equals',
  'contains',
  'not_contains',
  'in',
  'not_in',
  'same_items',
  'schema',
  'snapshot',
])

/** Reports the checks of an `assert` that end in a key: `id:` would compare with null, which nobody wrote. */
export function reportEmptyChecks(path: ValuePath, context: LoadContext): void {
  const node = findNode(context.tree, path)
  if (!hasEmpty(node)) return
  const empty = listEmpty(node, path)
  const known = new Set(context.problems.map(({ range }) => range[0]))
  for (const { path: place } of empty.filter(({ node }) => !known.has(node.range[0])))
    context.report(place, {
      code: 'bad-check',
      message: `\`${formatPath(place)}\` has no check.`,
      hint: 'Write the value it must have, or `null` to compare with null.',
    })
}

function hasEmpty(node: SourceNode): boolean {
  if (node.empty) return true
  for (const child of node.children?.values() ?? []) if (hasEmpty(child)) return true
  return false
}

type Place = { node: SourceNode; path: ValuePath }

function listEmpty(node: SourceNode, path: ValuePath): Place[] {
  if (node.empty) return [{ node, path }]
  if (DATA.has(String(path.at(-1)))) return []
  return [...(node.children ?? [])].flatMap(([key, child]) => listEmpty(child, [...path, key]))
}
