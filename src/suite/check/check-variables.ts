import { buildVariableGraph, type VariableNode } from '../../interpolation/variables/variable-graph.ts'
import type { JsonObject } from '../../json.ts'
import type { LoadContext } from '../load-context.ts'
import { findWritten, narrow } from '../../source.ts'
import { findNode } from '../source-tree.ts'
import { placeTemplates } from '../reads/template-places.ts'
import { showCycle } from '../../text/show-value.ts'

/** Reports the cycles of variables that need each other (the first 20); `shadowed` names are read from rows instead. */
export function checkVariables(
  variables: JsonObject,
  shadowed: ReadonlySet<string>,
  context: LoadContext,
): void {
  const { texts } = buildVariableGraph(variables)
  const done = new Set<VariableNode>()
  const cycles: VariableNode[][] = []
  for (const text of texts) findCycles(text, shadowed, { done, cycles })
  for (const cycle of cycles) reportCycle(cycle, context)
}

const MAX_CYCLES = 20

type Visit = { node: VariableNode; next: number }

/** Depth first and without recursion: chains may be long. Nodes that were looked at once are not entered again. */
function findCycles(
  start: VariableNode,
  shadowed: ReadonlySet<string>,
  { done, cycles }: { done: Set<VariableNode>; cycles: VariableNode[][] },
): void {
  if (done.has(start)) return
  const stack: Visit[] = [{ node: start, next: 0 }]
  const open = new Set([start])
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const need = top.node.needs[top.next]
    top.next += 1
    if (!need) {
      stack.pop()
      open.delete(top.node)
      done.add(top.node)
    } else if (need.root !== undefined && shadowed.has(need.root)) continue
    else if (open.has(need.node)) {
      const from = stack.findIndex(({ node }) => node === need.node)
      if (cycles.length < MAX_CYCLES) cycles.push(stack.slice(from).map(({ node }) => node))
    } else if (!done.has(need.node)) {
      stack.push({ node: need.node, next: 0 })
      open.add(need.node)
    }
  }
}

function reportCycle(cycle: readonly VariableNode[], context: LoadContext): void {
  const named = cycle
    .filter(({ text }) => text !== undefined)
    .map(({ text = '', path }) => {
      const { range } = findNode(context.tree, ['variables', ...path])
      return { text, path, range }
    })
  // The cycle is told from the variable that is first in the file.
  const starts = named.map(({ range }) => range[0])
  const first = starts.indexOf(Math.min(...starts))
  const turned = [...named.slice(first), ...named.slice(0, first)]
  const [node] = turned
  if (!node) return
  const names = turned.map(({ path }) => path.join('.'))
  const { range } = node
  const written = findWritten(range, context.source)
  const [from, to] = written.range
  const start = placeTemplates(node.text, written.source.text, written.range).openings[0] ?? from
  context.reportAt(narrow(range, start, Math.max(start + 2, to)), {
    code: 'variable-cycle',
    severity: 'doubt',
    message: `These variables form a cycle: ${showCycle(names)}.`,
    hint: 'Write out the value of one of them.',
  })
}
