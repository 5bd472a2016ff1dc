import { listNodes, type SyntaxNode } from '../../../src/interpolation/syntax/javascript.ts'
import type { Json, JsonObject } from '../../../src/json.ts'
import type { SourceNode } from '../../../src/suite/source-tree.ts'
import { parseModule, placeValue } from '../../contract/read-module.ts'
import type { Call } from './find-call.ts'

/**
 * Finds where the parts of a definition are in the text that wrote it, through constants of the file and type assertions.
 * What is not spelled out there (calls, spreads, imported values) is placed where its surroundings are.
 */
export async function placeDefinition(
  value: JsonObject,
  { call, stepCalls }: { call: Call; stepCalls: readonly Call[] },
): Promise<SourceNode> {
  const { file } = call
  // What the parser does not know is placed at the call as a whole.
  file.syntax ??= parseModule(file.path, file.text).catch(() => undefined)
  const syntax = await file.syntax
  const place = (part: Json | undefined, { offset, direct }: Call): SourceNode => {
    const argument = syntax && direct ? findArgument(syntax.root, offset) : undefined
    return syntax && argument ? placeValue(argument, syntax, part) : { range: [offset, offset + 1] }
  }
  const tree = place(value, call)
  if (stepCalls.length === 0) return tree
  const steps = value['steps'] as Json[]
  const list = tree.children?.get('steps') ?? { range: tree.range }
  const children = new Map(list.children)
  for (const [number, own] of stepCalls.entries()) {
    const index = steps.length - stepCalls.length + number
    children.set(index, place(steps[index], own))
  }
  return { ...tree, children: new Map(tree.children).set('steps', { ...list, children }) }
}

/** The argument of the innermost call around the offset that the stack gave: what is before it is its callee. */
function findArgument(root: SyntaxNode, offset: number): SyntaxNode | undefined {
  const calls = listNodes(root).filter(
    ({ type, start, end }) => type === 'CallExpression' && start <= offset && offset < end,
  )
  const [innermost] = calls.toSorted((a, b) => a.end - a.start - (b.end - b.start))
  return (innermost?.['arguments'] as SyntaxNode[] | undefined)?.[0]
}
