import { extname } from 'node:path'
import { listNodes, type SyntaxNode } from '../../src/interpolation/syntax/javascript.ts'

/** The syntax tree of a module, and its `const` declarations whose name no other declaration has. */
export type ModuleSyntax = { root: SyntaxNode; constants: ReadonlyMap<string, SyntaxNode> }

/** What is known of a module: its syntax, or where it cannot be read further. */
type Parsed = { syntax?: ModuleSyntax; errorAt?: number }

let last: ({ path: string; text: string } & Parsed) | undefined

/** Parses a test file in TypeScript or JavaScript; without `syntax` where it has some that the parser does not know. The last file is remembered. */
export async function parseModule(path: string, text: string): Promise<Parsed> {
  if (last?.path !== path || last.text !== text) last = { path, text, ...(await parseText(path, text)) }
  return last
}

async function parseText(path: string, text: string): Promise<Parsed> {
  const [{ Parser }, { tsPlugin }] = await Promise.all([
    import('acorn'),
    import('@sveltejs/acorn-typescript'),
  ])
  const parser = Parser.extend(tsPlugin({ jsx: extname(path).endsWith('x') }))
  try {
    const root = parser.parse(text, {
      ecmaVersion: 'latest',
      sourceType: 'module',
      locations: true,
      allowHashBang: true,
    }) as unknown as SyntaxNode
    return { syntax: { root, constants: findConstants(root) } }
  } catch (error) {
    // Vite reads more than this parser: positions are then those of the whole call.
    if (error instanceof SyntaxError) return { errorAt: (error as SyntaxError & { pos: number }).pos }
    if (error instanceof RangeError) return {}
    throw error
  }
}

/** Type syntax around a value. */
const WRAPPERS = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
  'ParenthesizedExpression',
])

/** Constants can refer to each other in a cycle. */
const MOST_NAMES = 50

/** The value without the types and parentheses around it. */
export function unwrapNode(node: SyntaxNode): SyntaxNode {
  let at = node
  while (WRAPPERS.has(at.type)) at = at['expression'] as SyntaxNode
  return at
}

/** Follows names of constants to the value that is meant, as far as the file tells. */
export function followNode(node: SyntaxNode, { constants }: ModuleSyntax): SyntaxNode {
  let at = unwrapNode(node)
  for (let count = 0; count < MOST_NAMES && at.type === 'Identifier'; count++) {
    const next = constants.get(at['name'] as string)
    if (!next) break
    at = unwrapNode(next)
  }
  return at
}

/** The name of a member of an object literal or pattern; undefined where that is computed, and for a spread. */
export function nameMember(member: SyntaxNode): string | undefined {
  const key = member['key'] as (SyntaxNode & { name?: string; value?: unknown }) | undefined
  if (key?.type === 'Literal') return String(key.value)
  return member['computed'] ? undefined : key?.name
}

function findConstants(root: SyntaxNode): Map<string, SyntaxNode> {
  const found = new Map<string, SyntaxNode>()
  const repeated = new Set<string>()
  for (const node of listNodes(root)) {
    if (node.type !== 'VariableDeclarator') continue
    const { name } = node['id'] as SyntaxNode & { name?: string }
    const value = node['init'] as SyntaxNode | null
    if (name === undefined || !value) continue
    if (found.has(name)) repeated.add(name)
    found.set(name, value)
  }
  for (const name of repeated) found.delete(name)
  return found
}
