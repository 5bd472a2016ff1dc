import type { Json, JsonObject } from '../../json.ts'
import { TemplateError } from '../errors.ts'
import type { SyntaxNode } from './javascript.ts'

/** Reads arguments that are written out as data, JSON5 style: `{min: 1, tags: ['a']}`. Nothing is evaluated. */
export function readLiterals(nodes: readonly (SyntaxNode | null)[], from: number): Json[] {
  return nodes.map((node) => (node ? readLiteral(node, from) : null))
}

function readLiteral(node: SyntaxNode, from: number): Json {
  if (node.type === 'ParenthesizedExpression') return readLiteral(node['expression'] as SyntaxNode, from)
  if (node.type === 'ArrayExpression') return readLiterals(node['elements'] as (SyntaxNode | null)[], from)
  if (node.type === 'ObjectExpression') return readObject(node, from)
  if (node.type === 'TemplateLiteral' && (node['expressions'] as SyntaxNode[]).length === 0) {
    const [quasi] = node['quasis'] as { value: { cooked: string } }[]
    return quasi?.value.cooked ?? ''
  }
  if (node.type === 'UnaryExpression' && (node['operator'] === '-' || node['operator'] === '+')) {
    const value = readLiteral(node['argument'] as SyntaxNode, from)
    if (typeof value === 'number') return node['operator'] === '-' ? -value : value
  }
  const value = node.type === 'Literal' ? node['value'] : undefined
  if (value === null && node['raw'] === 'null') return null
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  throw refuse(from + node.start)
}

function readObject(node: SyntaxNode, from: number): JsonObject {
  const object: JsonObject = {}
  for (const property of node['properties'] as SyntaxNode[]) {
    const key = property['key'] as SyntaxNode | undefined
    if (property.type !== 'Property' || !key || property['computed']) throw refuse(from + property.start)
    const name = key.type === 'Identifier' ? (key['name'] as string) : String(key['value'])
    const value = readLiteral(property['value'] as SyntaxNode, from)
    Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true })
  }
  return object
}

function refuse(offset: number): TemplateError {
  const hint = 'Write numbers, strings, lists and objects out; for computed ones use {{js: …}} in a variable.'
  return new TemplateError('Arguments of `$faker` are written-out data, not expressions', offset, hint)
}
