import { extname } from 'node:path'
import type { SyntaxNode } from '../../src/interpolation/syntax/javascript.ts'

/** The syntax tree of a module, and the values of its constants. */
export type ModuleSyntax = { root: SyntaxNode; constants: ReadonlyMap<string, SyntaxNode> }

/** Parses a module in TypeScript or JavaScript. Rejects with a `SyntaxError`, which has a `pos`, or a `RangeError` where it nests too deep. */
export async function parseModule(path: string, text: string): Promise<ModuleSyntax> {
  const [{ Parser }, { tsPlugin }] = await Promise.all([
    import('acorn'),
    import('@sveltejs/acorn-typescript'),
  ])
  const parser = Parser.extend(tsPlugin({ jsx: extname(path).endsWith('x') }))
  const options = { ecmaVersion: 'latest', sourceType: 'module', locations: true } as const
  const root = parser.parse(text, { ...options, allowHashBang: true }) as unknown as SyntaxNode
  const statements = (root['body'] as SyntaxNode[]).map((statement) => statement['declaration'] ?? statement)
  const declared = statements.flatMap((statement) => (statement as SyntaxNode)['declarations'] ?? [])
  const constants = (declared as SyntaxNode[]).map(
    ({ id, init }) => [(id as { name: string }).name, init as SyntaxNode] as const,
  )
  return { root, constants: new Map(constants) }
}

/** Type syntax around a value. */
const WRAPPERS = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
  'ParenthesizedExpression',
])

/** Follows types around a value and names of constants to the value that is meant, as far as the file tells. */
export function followNode(node: SyntaxNode, { constants }: ModuleSyntax): SyntaxNode {
  let at = node
  const seen = new Set<SyntaxNode>()
  while (!seen.has(at)) {
    seen.add(at)
    if (WRAPPERS.has(at.type)) at = at['expression'] as SyntaxNode
    else if (at.type === 'Identifier') at = constants.get(at['name'] as string) ?? at
  }
  return at
}

/** The name of a member of an object literal; undefined where that is computed, and for a spread. */
export function nameMember(member: SyntaxNode): string | undefined {
  const key = member['key'] as (SyntaxNode & { name?: string; value?: unknown }) | undefined
  if (key?.type === 'Literal') return String(key.value)
  return member['computed'] ? undefined : key?.name
}
