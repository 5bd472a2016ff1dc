import type { SyntaxNode } from '../../../../src/interpolation/syntax/javascript.ts'
import { isJsonObject, readOwn, type Json } from '../../../../src/json.ts'
import type { Range } from '../../../../src/source.ts'
import type { SourceNode } from '../../../../src/suite/source-tree.ts'
import type { Call } from './find-call.ts'
import { parseModule, walk, type ModuleSyntax } from '../../../contract/parse-module.ts'
import { listElements, listMembers, resolveNode } from './read-literal.ts'

/**
 * Finds where the parts of a definition stand in the text that wrote it, through `const`s of the file, spreads and type
 * assertions. What is not spelled out there (calls, imported values) is placed where its surroundings are.
 */
export async function placeDefinition(value: Json, call: Call): Promise<SourceNode> {
  const syntax = await parseModule(call.path, call.text)
  const argument = syntax && findArgument(syntax.root, call)
  if (!syntax || !argument) return { range: [call.offset, call.offset + 1] }
  return placeValue(value, argument, syntax)
}

/** The innermost call around the offset that the stack gave is the one: what is before it is its callee. */
function findArgument(root: SyntaxNode, { offset, direct }: Call): SyntaxNode | undefined {
  if (!direct) return undefined
  let found: SyntaxNode | undefined
  for (const node of walk(root)) {
    if (node.type !== 'CallExpression' || node.start > offset || node.end <= offset) continue
    if (!found || node.end - node.start < found.end - found.start) found = node
  }
  return (found?.['arguments'] as SyntaxNode[] | undefined)?.[0]
}

function placeValue(value: Json | undefined, written: SyntaxNode, syntax: ModuleSyntax): SourceNode {
  const node = resolveNode(written, syntax)
  const children = new Map<string | number, SourceNode>()
  const members = listMembers(node, syntax)
  for (const [key, member] of members.known) {
    const part = isJsonObject(value) ? readOwn(value, key) : undefined
    children.set(key, { ...placeValue(part, member.value, syntax), key: rangeOf(member.key) })
  }
  if (members.hidden && isJsonObject(value))
    for (const key of Object.keys(value))
      if (!children.has(key)) children.set(key, { range: rangeOf(members.hidden) })
  const items = Array.isArray(value) ? value : []
  for (const [index, element] of listElements(node, syntax, items.length).entries())
    children.set(index, placeValue(items[index], element, syntax))
  return { range: rangeOf(node), ...(children.size > 0 && { children }) }
}

function rangeOf({ start, end }: SyntaxNode): Range {
  return [start, end]
}
