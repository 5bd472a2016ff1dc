import { listNodes, type SyntaxNode } from '../../../src/interpolation/syntax/javascript.ts'
import { isJsonObject, readOwn, type Json, type JsonObject } from '../../../src/json.ts'
import type { Range } from '../../../src/source.ts'
import type { SourceNode } from '../../../src/suite/source-tree.ts'
import { followNode, nameMember, parseModule, unwrapNode } from '../../contract/parse-module.ts'
import type { ModuleSyntax } from '../../contract/parse-module.ts'
import type { Call } from './find-call.ts'

/**
 * Finds where the parts of a definition are in the text that wrote it, through `const`s of the file and type assertions.
 * What is not spelled out there (calls, spreads, imported values) is placed where its surroundings are.
 */
export async function placeDefinition(
  value: JsonObject,
  { call, stepCalls }: { call: Call; stepCalls: readonly Call[] },
): Promise<SourceNode> {
  const tree = await placeArgument(value, call)
  const steps = stepCalls.length > 0 ? (value['steps'] as Json[]) : []
  const list: SourceNode = { range: tree.range, children: new Map(), ...tree.children?.get('steps') }
  for (const [index, own] of stepCalls.entries()) {
    const at = steps.length - stepCalls.length + index
    list.children?.set(at, await placeArgument(steps[at] as Json, own))
  }
  if (steps.length > 0) tree.children = new Map(tree.children).set('steps', list)
  return tree
}

/** Places the argument of a call. */
async function placeArgument(value: Json, call: Call): Promise<SourceNode> {
  const { syntax } = await parseModule(call.path, call.text)
  const argument = syntax && findArgument(syntax.root, call)
  if (!syntax || !argument) return { range: [call.offset, call.offset + 1] }
  return placeValue(value, argument, syntax)
}

/** The innermost call around the offset that the stack gave is the one: what is before it is its callee. */
function findArgument(root: SyntaxNode, { offset, direct }: Call): SyntaxNode | undefined {
  if (!direct) return undefined
  let found: SyntaxNode | undefined
  for (const node of listNodes(root)) {
    if (node.type !== 'CallExpression' || node.start > offset || node.end <= offset) continue
    if (!found || node.end - node.start < found.end - found.start) found = node
  }
  return (found?.['arguments'] as SyntaxNode[] | undefined)?.[0]
}

function placeValue(value: Json | undefined, written: SyntaxNode, syntax: ModuleSyntax): SourceNode {
  const node = resolveNode(written, syntax)
  const children = new Map<string | number, SourceNode>()
  if (node.type === 'ObjectExpression')
    for (const property of node['properties'] as SyntaxNode[]) {
      const name = nameMember(property)
      if (name === undefined) continue
      const part = isJsonObject(value) ? readOwn(value, name) : undefined
      const key = rangeOf(property['key'] as SyntaxNode)
      children.set(name, { ...placeValue(part, property['value'] as SyntaxNode, syntax), key })
    }
  const items = Array.isArray(value) ? value : []
  for (const [index, element] of listElements(node, items.length).entries())
    children.set(index, placeValue(items[index], element, syntax))
  return { range: rangeOf(node), ...(children.size > 0 && { children }) }
}

/** Follows type assertions and names of constants to the literal that is meant, as far as the file tells. */
function resolveNode(node: SyntaxNode, syntax: ModuleSyntax): SyntaxNode {
  const at = followNode(node, syntax)
  // A constant that is computed is known at the place of its use.
  return at.type === 'ObjectExpression' || at.type === 'ArrayExpression' ? at : unwrapNode(node)
}

/** The elements of an array literal that has `length` elements at run time: those behind a spread are counted from the end. */
function listElements(node: SyntaxNode, length: number): SyntaxNode[] {
  const written = node.type === 'ArrayExpression' ? (node['elements'] as (SyntaxNode | null)[]) : []
  const elements = written.map((element) => element ?? node)
  const first = elements.findIndex(({ type }) => type === 'SpreadElement')
  if (first === -1) return elements
  const behind = elements.slice(elements.findLastIndex(({ type }) => type === 'SpreadElement') + 1)
  const hidden = Math.max(0, length - first - behind.length)
  const spread = elements[first] as SyntaxNode
  return [...elements.slice(0, first), ...Array.from({ length: hidden }, () => spread), ...behind]
}

function rangeOf({ start, end }: SyntaxNode): Range {
  return [start, end]
}
