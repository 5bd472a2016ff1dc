import { isPlainName, listPatternNames } from './free-names.ts'
import { listChildren, listNodes, readMemberPath, type SyntaxNode } from './javascript.ts'

/** Returns the size of the data at a place that an expression reads. */
export type ReadSize = (root: string, path: readonly (string | number)[]) => number

/** What a call adds to the cost; also the greatest length of a computed number as text. */
const SCALAR = 20
/** The smallest size of an element: a list has at most its size divided by this. */
const ELEMENT = 5
/** By how much a text grows when it is split: each character becomes an element. */
const APART = 14

/** Nodes that look at their parts once, by what they add to the cost of the parts. */
const plainNodes = groupNames({
  0: 'ParenthesizedExpression ConditionalExpression LogicalExpression SpreadElement',
  2: 'TemplateLiteral ArrayExpression ObjectExpression',
  5: 'Property',
  12: 'UnaryExpression',
  20: 'BinaryExpression',
})

/** Calls that look at receiver and arguments once, by how many times larger their result can be. */
const calls = groupNames({
  1: `startsWith endsWith charCodeAt codePointAt hasOwnProperty hasOwn has isArray isInteger isFinite isSafeInteger isNaN
    Number Boolean parseInt parseFloat now UTC toISOString toJSON getTime getTimezoneOffset getFullYear getMonth getDate
    getDay getHours getMinutes getSeconds getMilliseconds getUTCFullYear getUTCMonth getUTCDate getUTCDay getUTCHours
    getUTCMinutes getUTCSeconds getUTCMilliseconds abs ceil floor max min pow round sign sqrt trunc random randomUUID
    randomInt slice substring substr at charAt trim trimStart trimEnd concat get toReversed flat valueOf values String
    decodeURI decodeURIComponent atob decodeBase64 Date`,
  6: 'btoa fromEntries toUpperCase toLowerCase sha256 hmacSha256 hash hmac stringify',
  20: 'encodeURI encodeURIComponent keys Set Map parse toString toFixed',
  60: 'entries encodeBase64 URL URLSearchParams',
})

function groupNames(groups: Readonly<Record<number, string>>): ReadonlyMap<string, number> {
  const names = Object.entries(groups).flatMap(([number, group]) =>
    group.split(/\s+/u).map((name) => [name, Number(number)] as const),
  )
  return new Map(names)
}

/** Calls that may take a step per pair of characters, that repeat a text, or that loop over elements. */
const products = /^(?:includes|indexOf|lastIndexOf|join|split|replace|replaceAll)$/u
const repeats = /^(?:repeat|padStart|padEnd)$/u
const loops = /^(?:map|flatMap|filter|find|findLast|findIndex|findLastIndex|some|every|forEach)$/u

/** An upper bound, given the sizes of the data. */
type Cost = (readSize: ReadSize) => number

const unbounded: Cost = () => Infinity

/**
 * Bounds what an expression reads, creates and returns, in characters of JSON. Larger data never gives a smaller bound.
 * Infinite for what may not end soon or stay small: loops, patterns, unknown methods, functions except callbacks.
 */
export function boundCost(node: SyntaxNode): Cost {
  if (node.type === 'Literal' || node.type === 'TemplateElement') {
    const length = node['regex'] ? Infinity : node.end - node.start + 2
    return () => length
  }
  if (/^(?:Identifier|MemberExpression|ChainExpression)$/u.test(node.type)) {
    // What is read from something other than data is at most as large as the whole.
    const { root, path, computed } = readMemberPath(node)
    const keys = sum(computed, 1)
    if (root.type !== 'Identifier') return sum([root, ...computed])
    const name = root['name'] as string
    return (readSize) => readSize(name, path) + keys(readSize)
  }
  if (node.type === 'CallExpression' || node.type === 'NewExpression') return boundCall(node)
  const own = plainNodes.get(node.type)
  if (own === undefined || isUnbounded(node)) return unbounded
  const { name = '' } = (node['key'] ?? {}) as { name?: string }
  const isComparison = /^[<>=!i]/u.test(String(node['operator']))
  const parts = listChildren(node).filter((child) => !isPlainName(node, child))
  return sum(parts, (isComparison ? 5 : own) + name.length, node.type === 'SpreadElement' ? APART : 1)
}

/** Adds up the bounds of the nodes and `added`, and multiplies by `factor`. */
function sum(nodes: readonly SyntaxNode[], added = 0, factor = 1): Cost {
  const costs = nodes.map(boundCost)
  const fixed = added + 2 * nodes.length
  return (readSize) => costs.reduce((total, cost) => total + cost(readSize), fixed) * factor
}

/** True for operators that make gigabytes of two digits, methods in objects, and setting a prototype. */
function isUnbounded(node: SyntaxNode): boolean {
  const key = node['key'] as SyntaxNode | undefined
  const isPrototype = !node['computed'] && (key?.['name'] ?? key?.['value']) === '__proto__'
  const isAccessor = node.type === 'Property' && (node['kind'] !== 'init' || node['method'] === true)
  return isPrototype || isAccessor || /^(?:delete|\*\*|<<)$/u.test(String(node['operator']))
}

function boundCall(node: SyntaxNode): Cost {
  const callee = node['callee'] as SyntaxNode
  const passed = node['arguments'] as SyntaxNode[]
  if (callee.type === 'Identifier')
    return sum(passed, SCALAR, calls.get(callee['name'] as string) ?? Infinity)
  if (callee.type !== 'MemberExpression' || callee['computed']) return unbounded
  const method = (callee['property'] as SyntaxNode)['name'] as string
  const object = callee['object'] as SyntaxNode
  const [first, second] = passed
  if (loops.test(method)) return boundLoop(sum([object], SCALAR), first)
  if (repeats.test(method)) return sum([object, ...passed], SCALAR, 1 + Number(first?.['value'] ?? Infinity))
  if (!products.test(method)) {
    const factor = method === 'stringify' && second ? Infinity : (calls.get(method) ?? Infinity)
    return sum([object, ...passed], SCALAR, factor)
  }
  // `$&` and the like insert parts of the text itself.
  const replacement = second?.['value']
  const isPlain =
    !method.startsWith('replace') || (typeof replacement === 'string' && !replacement.includes('$'))
  const [whole, given] = [sum([object], SCALAR), sum(passed, method === 'split' ? APART : 1)]
  return (readSize) => whole(readSize) ** (isPlain ? 1 : 2) * given(readSize)
}

/** Bounds a callback for every element: all calls cost at most one with the whole plus an empty one for each, since bounds grow at least like their data. */
function boundLoop(whole: Cost, callback: SyntaxNode | undefined): Cost {
  const parameters = (callback?.['params'] ?? []) as SyntaxNode[]
  const isArrow = callback?.type === 'ArrowFunctionExpression' && callback['expression'] === true
  const isPlain = parameters.every((parameter) => listNodes(parameter).every(isPlainPattern))
  const names = isArrow ? parameters.map(listPatternNames) : [['element']]
  const own = new Map(names.flatMap((group, index) => group.map((name) => [name, index] as const)))
  const factor = calls.get(String(callback?.['name'])) ?? Infinity
  const body: Cost = isArrow
    ? boundCost(callback['body'] as SyntaxNode)
    : (readSize) => (readSize('element', []) + SCALAR) * factor
  if (!isPlain) return unbounded
  return (readSize) => {
    const size = whole(readSize)
    const measureOne = (element: number): number =>
      body((root, path) => {
        const index = own.get(root)
        return index === undefined ? readSize(root, path) : ([element, SCALAR, size][index] ?? SCALAR)
      })
    return size + measureOne(size) + (size / ELEMENT) * (measureOne(0) + SCALAR)
  }
}

/** True for patterns that only destructure, without computing anything. */
function isPlainPattern({ type, computed }: SyntaxNode): boolean {
  return /^(?:Identifier|Literal|Property|ObjectPattern|ArrayPattern)$/u.test(type) && computed !== true
}
