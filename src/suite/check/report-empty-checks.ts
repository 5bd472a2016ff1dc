import type { LoadContext } from '../load-context.ts'
import { findNode, formatPath, type SourceNode, type ValuePath } from '../source-tree.ts'

// What is below them is data, where nothing written is a null like any other.
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

// The keys of a step below which there are checks.
const AROUND = new Set<unknown>(['scenarios', 'then', 'else', 'websocket', 'exchange'])

/** Reports the checks of a step that end in a key: `id:` would compare with null, which nobody wrote. */
export function reportEmptyChecks(step: ValuePath, context: LoadContext): void {
  const { children = [] } = findNode(context.tree, step)
  const empty = [...children].flatMap(([key, child]) => listEmpty(child, [...step, key], false))
  const known = new Set(empty.length > 0 ? context.problems.map(({ range }) => range[0]) : [])
  for (const { path, node } of empty)
    if (!known.has(node.range[0]))
      context.report(path, {
        code: 'bad-check',
        message: `\`${formatPath(path)}\` has no check.`,
        hint: 'Write the value it must have, or `null` to compare with null.',
      })
}

type Place = { node: SourceNode; path: ValuePath }

function listEmpty(node: SourceNode, path: ValuePath, isBelow: boolean): Place[] {
  const key = path.at(-1)
  const isCheck = isBelow || key === 'assert' || key === 'expect'
  if ((isBelow || key === 'expect') && node.empty) return [{ node, path }]
  if (isCheck ? DATA.has(String(key)) : typeof key !== 'number' && !AROUND.has(key)) return []
  return [...(node.children ?? [])].flatMap(([name, child]) => listEmpty(child, [...path, name], isCheck))
}
