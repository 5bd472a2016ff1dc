import type { LoadContext } from './load-context.ts'
import { findNode, formatPath, type SourceNode, type ValuePath } from './source-tree.ts'

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
])

/** Reports the checks of an `assert` that end in a key: `id:` would compare with null, which nobody wrote. */
export function reportEmptyChecks(path: ValuePath, context: LoadContext): void {
  const known = new Set(context.problems.map(({ range }) => range[0]))
  visit(findNode(context.tree, path), path, { context, known })
}

type State = { context: LoadContext; known: ReadonlySet<number> }

function visit(node: SourceNode, path: ValuePath, { context, known }: State): void {
  if (node.empty && !known.has(node.range[0]))
    context.report(path, {
      code: 'bad-check',
      message: `\`${formatPath(path)}\` has no check.`,
      hint: 'Write the value it must have, or `null` to compare with null.',
    })
  if (DATA.has(String(path.at(-1)))) return
  for (const [key, child] of node.children ?? []) visit(child, [...path, key], { context, known })
}
