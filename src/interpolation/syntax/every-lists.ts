import { listChildren, parseJavaScript, type SyntaxNode } from './javascript.ts'

/** The source of every list on which an expression calls `.every()`. */
export function findEveryLists(source: string): string[] {
  const lists: string[] = []
  const walk = (node: SyntaxNode): void => {
    const callee = node.type === 'CallExpression' ? (node['callee'] as SyntaxNode) : undefined
    if (callee?.type === 'MemberExpression' && (callee['property'] as SyntaxNode)['name'] === 'every') {
      const { start, end } = callee['object'] as SyntaxNode
      lists.push(source.slice(start, end))
    }
    for (const child of listChildren(node)) walk(child)
  }
  walk(parseJavaScript(source).node)
  return lists
}
