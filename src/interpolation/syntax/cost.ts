import { isPlainName, listPatternNames } from './free-names.ts'
import { listChildren, listNodes, readMemberPath, type SyntaxNode } from './javascript.ts'

/** Gives the size of the data at a place that an expression reads. */
export type ReadSize = (root: string, path: readonly (string | number)[]) => number

/** What a call takes, and with its operands a number that is computed, as text. */
const SCALAR = 20
/** No list has more elements than its size holds of these. */
const ELEMENT = 5
/** Of a text that is taken apart each character becomes an element. */
const APART = 14

/** What looks at its parts once, and what it takes beside them. */
const plainNodes = groupNames({
  0: 'ParenthesizedExpression ConditionalExpression LogicalExpression SpreadElement',
  2: 'TemplateLiteral ArrayExpression ObjectExpression',
  5: 'Property',
  12: 'UnaryExpression',
  20: 'BinaryExpression',
})

/** Calls that look at receiver and arguments once, by how many times as large what they give is at most. */
const calls = groupNames({
  1: `startsWith endsWith charCodeAt codePointAt hasOwnProperty hasOwn has isArray isInteger isFinite isSafeInteger isNaN
    Number Boolean parseInt parseFloat now UTC toISOString toJSON getTime getTimezoneOffset getFullYear getMonth getDate
    getDay getHours getMinutes getSeconds getMilliseconds getUTCFullYear getUTCMonth getUTCDate getUTCDay getUTCHours
    getUTCMinutes getUTCSeconds getUTCMilliseconds abs ceil floor max min pow round sign sqrt trunc random randomUUID
    randomInt slice substring substr at charAt trim trimStart trimEnd concat get toReversed flat valueOf values String
    decodeURI decodeURIComponent atob Date`,
  6: 'btoa fromEntries toUpperCase toLowerCase sha256 hmacSha256 hash hmac stringify',
  20: 'encodeURI encodeURIComponent keys Set Map parse toString toFixed',
  60: 'entries',
})

function groupNames(groups: Readonly<Record<number, string>>): ReadonlyMap<string, number> {
  const names = Object.entries(groups).flatMap(([number, group]) =>
    group.split(/\s+/u).map((name) => [name, Number(number)] as const),
  )
  return new Map(names)
}

/** Calls that can take a step for each pair of characters, that write an argument many times, and that call one for each element. */
const products = /^(?:includes|indexOf|lastIndexOf|join|split|replace|replaceAll)$/u
const repeats = /^(?:repeat|padStart|padEnd)$/u
const loops = /^(?:map|flatMap|filter|find|findLast|findIndex|findLastIndex|some|every|forEach)$/u

/**
 * Bounds an expression over data of given sizes, in characters of JSON: no value in it is larger, and no more is looked
 * at or made on the way. Larger data never gives a smaller bound. No finite number for what is not known to end soon or
 * to stay small: loops, functions that are not passed to a method such as `map`, patterns, unknown methods.
 */
export function estimateCost(node: SyntaxNode, readSize: ReadSize): number {
  const sum = (nodes: readonly SyntaxNode[]): number =>
    nodes.reduce((total, one) => total + 2 + estimateCost(one, readSize), 0)
  if (node.type === 'Literal' || node.type === 'TemplateElement')
    return node['regex'] ? Infinity : node.end - node.start + 2
  if (/^(?:Identifier|MemberExpression|ChainExpression)$/u.test(node.type)) {
    // A part of what is no data is at most as large as the whole.
    const { root, path, computed } = readMemberPath(node)
    const size = root.type === 'Identifier' ? readSize(root['name'] as string, path) : sum([root])
    return 1 + size + sum(computed)
  }
  if (node.type === 'CallExpression' || node.type === 'NewExpression') return measureCall(node, readSize, sum)
  const own = plainNodes.get(node.type)
  if (own === undefined || isUnbounded(node)) return Infinity
  const parts = sum(listChildren(node).filter((child) => !isPlainName(node, child)))
  if (node.type === 'SpreadElement') return parts * APART
  const isComparison = /^[<>=!i]/u.test(String(node['operator']))
  const { name = '' } = (node['key'] ?? {}) as { name?: string }
  return parts + name.length + (isComparison ? 5 : own)
}

/** True for an operator that can make gigabytes of two digits, for functions in objects, and for what sets a prototype. */
function isUnbounded(node: SyntaxNode): boolean {
  const key = node['key'] as SyntaxNode | undefined
  const isPrototype = !node['computed'] && (key?.['name'] ?? key?.['value']) === '__proto__'
  const isAccessor = node.type === 'Property' && (node['kind'] !== 'init' || node['method'] === true)
  return isPrototype || isAccessor || /^(?:delete|\*\*|<<)$/u.test(String(node['operator']))
}

function measureCall(
  node: SyntaxNode,
  readSize: ReadSize,
  sum: (nodes: readonly SyntaxNode[]) => number,
): number {
  const callee = node['callee'] as SyntaxNode
  const passed = node['arguments'] as SyntaxNode[]
  const [first, second] = passed
  if (callee.type === 'Identifier')
    return (SCALAR + sum(passed)) * (calls.get(callee['name'] as string) ?? Infinity)
  if (callee.type !== 'MemberExpression' || callee['computed']) return Infinity
  const method = (callee['property'] as SyntaxNode)['name'] as string
  const whole = SCALAR + sum([callee['object'] as SyntaxNode])
  if (loops.test(method)) return measureLoop(whole, first, readSize)
  const given = sum(passed)
  if (repeats.test(method)) return (whole + given) * (1 + Number(first?.['value'] ?? Infinity))
  if (method === 'stringify' && second) return Infinity
  if (!products.test(method)) return (whole + given) * (calls.get(method) ?? Infinity)
  // `$&` and the like put parts of the text itself into the replacement.
  const replacement = second?.['value']
  const isPlain =
    !method.startsWith('replace') || (typeof replacement === 'string' && !replacement.includes('$'))
  return whole * ((method === 'split' ? APART : 1) + given) * (isPlain ? 1 : whole)
}

/**
 * Calls a function for every element. All elements together are as large as the whole, and a bound never grows slower
 * than its data; so all calls together cost no more than one with the whole, and one with nothing for each element.
 */
function measureLoop(whole: number, callback: SyntaxNode | undefined, readSize: ReadSize): number {
  const measureOne = (element: number): number => {
    if (callback?.type === 'Identifier')
      return (element + SCALAR) * (calls.get(callback['name'] as string) ?? Infinity)
    if (callback?.type !== 'ArrowFunctionExpression' || !callback['expression']) return Infinity
    const parameters = callback['params'] as SyntaxNode[]
    if (!parameters.every((parameter) => listNodes(parameter).every(isPlainPattern))) return Infinity
    const sizes = [element, SCALAR, whole]
    const own = new Map(
      parameters.flatMap((parameter, index) =>
        listPatternNames(parameter).map((name) => [name, sizes[index] ?? SCALAR] as const),
      ),
    )
    return estimateCost(callback['body'] as SyntaxNode, (root, path) => own.get(root) ?? readSize(root, path))
  }
  return whole + measureOne(whole) + (whole / ELEMENT) * (measureOne(0) + SCALAR)
}

/** True for what only takes apart and computes nothing. */
function isPlainPattern({ type, computed }: SyntaxNode): boolean {
  return /^(?:Identifier|Literal|Property|ObjectPattern|ArrayPattern)$/u.test(type) && computed !== true
}
