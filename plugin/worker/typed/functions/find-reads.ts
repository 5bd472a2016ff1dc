import { findFreeNames, listPatternNames } from '../../../../src/interpolation/syntax/free-names.ts'
import {
  listNodes,
  parseJavaScript,
  readMemberPath,
  type SyntaxNode,
} from '../../../../src/interpolation/syntax/javascript.ts'
import { tryTo } from '../../../../src/errors.ts'
import { rememberObjects } from '../../../../src/remember.ts'
import type { LiftedFunction } from './lift-functions.ts'

/** For each name, the path in the argument that its value comes from. Undefined if that cannot be told. */
type Bound = Map<string, readonly string[] | undefined>

/**
 * What the text of a function reads from its argument, as expressions: `variables` by name, `body`, and what else
 * checks look at. Undefined if the text leaves that open, as when all of `variables` is passed on.
 */
export function findReads(call: LiftedFunction['call']): string[] | undefined {
  const found = parseFunction(writeFunction(call))
  if (!found) return undefined
  const [params, body] = [found['params'] as SyntaxNode[], found['body'] as SyntaxNode]
  const bound: Bound = new Map([['arguments', undefined]])
  if (params[0]) bind(params[0], [], bound)
  // `const { token } = variables` binds names, and their uses are the reads. Inner functions are left alone.
  const apart = listNodes(body, ({ type }) => !type.includes('Function')).filter(({ id, init }) => {
    const pattern = id as SyntaxNode | undefined
    if (pattern?.type !== 'ObjectPattern' || !init) return false
    const { root, path, computed } = readMemberPath(init as SyntaxNode)
    const from = computed.length === 0 ? bound.get(String(root['name'])) : undefined
    if (from) bind(pattern, [...from, ...path.map(String)], bound)
    return from !== undefined
  })
  const patterns = [...params, ...apart].flatMap((each) => listNodes(each))
  const defaults = patterns.flatMap(({ right }) => (right as SyntaxNode) ?? [])
  const uses = findFreeNames(body).filter(
    ({ offset }) => !apart.some(({ start, end }) => start <= offset && offset < end),
  )
  const reads = [...uses, ...defaults.flatMap((each) => findFreeNames(each))].flatMap(({ name, path }) =>
    bound.has(name) ? [writeRead(bound.get(name), path)] : [],
  )
  return reads.includes(undefined) ? undefined : [...new Set(reads as string[])].filter((read) => read !== '')
}

function bind(pattern: SyntaxNode, path: readonly string[] | undefined, bound: Bound): void {
  if (pattern.type === 'AssignmentPattern') return bind(pattern['left'] as SyntaxNode, path, bound)
  if (pattern.type !== 'ObjectPattern')
    for (const name of listPatternNames(pattern)) bound.set(name, bound.has(name) ? undefined : path)
  else
    for (const { computed, key, value, argument } of pattern['properties'] as SyntaxNode[]) {
      const { name, value: literal } = (key ?? {}) as SyntaxNode
      const below = path && key && !computed ? [...path, String(name ?? literal)] : undefined
      bind((value ?? argument) as SyntaxNode, below, bound)
    }
}

/** The expression for a read: empty if no step provides it, undefined if it may be of any variable. */
function writeRead(
  from: readonly string[] | undefined,
  path: readonly (string | number)[],
): string | undefined {
  const [part, ...names] = from ? [...from, ...path] : []
  if (typeof part !== 'string') return undefined
  // A function that reads `errors` replaces the implied check that a GraphQL response has none.
  if (part === 'body' && names[0] === 'errors') return 'body.errors'
  // Quoted, so as not to be names: not every response has these. Code that looks for them searches the text.
  if (part === 'events' || part === 'close_code' || part === 'mock_calls') return `'${part}'`
  if (part !== 'variables') return ['body', 'status_code'].includes(part) ? part : ''
  const [name, ...members] = names.slice(0, 2).map(String)
  // Other names might end the JSON string, or the call, that contains the expression.
  if (name === undefined || ![name, ...members].every((one) => /^[\w$-]+$/.test(one))) return undefined
  return [part, name, ...members].reduce(
    (read, one) => `${read}${/^[a-z_$][\w$]*$/i.test(one) ? `.${one}` : `['${one}']`}`,
  )
}

/**
 * The expression that a function computes from members of its argument, such as `body.x > 1`. Empty if it does more, renames
 * members, or reads names from outside, which may mean something else in a suite.
 */
export const readExpression: (call: LiftedFunction['call']) => string = rememberObjects(
  (call: LiftedFunction['call']) => {
    const text = writeFunction(call)
    const { params, body } = (parseFunction(text) ?? {}) as { params?: SyntaxNode[]; body?: SyntaxNode }
    const members = (params?.[0]?.['properties'] ?? []) as SyntaxNode[]
    if (!body || !members.every(isShorthand)) return ''
    const known = new Set(members.map(({ key }) => String((key as SyntaxNode)['name'])))
    if (!findFreeNames(body).every(({ name }) => known.has(name) || name in globalThis)) return ''
    const [only, ...others] = body.type === 'BlockStatement' ? (body['body'] as SyntaxNode[]) : []
    const returned = only?.type === 'ReturnStatement' && others.length === 0 ? only['argument'] : undefined
    const result = (body.type === 'BlockStatement' ? returned : body) as SyntaxNode | undefined
    const expression = result ? text.slice(result.start, result.end) : ''
    // `super` and the like mean nothing outside the function.
    return tryTo(() => parseJavaScript(expression)) ? expression : ''
  },
)

function isShorthand({ shorthand, value }: SyntaxNode): boolean {
  return shorthand === true && (value as SyntaxNode).type === 'Identifier'
}

/** The text of a function, with what surrounds it if it is a method. */
function writeFunction(call: LiftedFunction['call']): string {
  const text = Function.prototype.toString.call(call)
  return /^(?:async\b\s*)?(?:function\b|\(|[\w$]+\s*=>)/.test(text) ? text : `({${text}})`
}

/** The function in a text. Undefined if there is none in JavaScript. */
function parseFunction(text: string): SyntaxNode | undefined {
  return tryTo(() => listNodes(parseJavaScript(text).node).find(({ params }) => params))
}
