import { readMemberPath, type SyntaxNode } from './javascript.ts'

/** Gives the size of the data at a place that an expression reads. */
export type ReadSize = (root: string, path: readonly (string | number)[]) => number

/** A number that is computed, as text; what a list or object takes beside its parts. */
const SCALAR = 30
/** What an element adds to a list. No list has more elements than its size holds of these. */
const ELEMENT = 5
/** Of a text that is taken apart each character becomes an element. */
const APART = 14
const CALL = 16

/** Calls that look at receiver and arguments once, by how many times as large what they give is at most. */
const calls: ReadonlyMap<string, number> = new Map(
  Object.entries({
    1: `startsWith endsWith charCodeAt codePointAt hasOwnProperty hasOwn has isArray isInteger isFinite isSafeInteger isNaN
      Number Boolean parseInt parseFloat now UTC toISOString toJSON getTime getTimezoneOffset getFullYear getMonth getDate
      getDay getHours getMinutes getSeconds getMilliseconds getUTCFullYear getUTCMonth getUTCDate getUTCDay getUTCHours
      getUTCMinutes getUTCSeconds getUTCMilliseconds abs ceil floor max min pow round sign sqrt trunc random randomUUID
      randomInt slice substring substr at charAt trim trimStart trimEnd concat get toReversed flat valueOf values String
      decodeURI decodeURIComponent atob Date`,
    2: 'btoa fromEntries',
    3: 'toUpperCase toLowerCase',
    5: 'sha256 hmacSha256 hash hmac',
    6: 'stringify',
    9: 'encodeURI encodeURIComponent',
    14: 'keys Set Map',
    18: 'parse',
    60: 'entries',
  }).flatMap(([factor, names]) => names.split(/\s+/u).map((name) => [name, Number(factor)] as const)),
)

/** Functions that may be called, or passed to be called, by their bare name. */
const plainFunctions = new Set(
  `Number String Boolean parseInt parseFloat isNaN isFinite encodeURIComponent encodeURI decodeURIComponent decodeURI
  btoa atob`.split(/\s+/u),
)
const constructors = new Set(['Date', 'Set', 'Map'])
const loops = new Set(
  'map flatMap filter find findLast findIndex findLastIndex some every forEach'.split(' '),
)

/**
 * Bounds an expression over data of given sizes, in characters of JSON: no value in it is larger, and no more is looked
 * at or made on the way. Larger data never gives a smaller bound. No finite number for what is not known to end soon or
 * to stay small: loops, functions that are not passed to a method such as `map`, patterns, unknown methods.
 */
export function estimateCost(node: SyntaxNode, readSize: ReadSize): number {
  const measure = (key: string): number => estimateCost(node[key] as SyntaxNode, readSize)
  switch (node.type) {
    case 'Literal':
      return node['regex'] === undefined ? String(node['raw']).length + 2 : Infinity
    case 'ParenthesizedExpression':
      return measure('expression')
    case 'Identifier':
    case 'MemberExpression':
    case 'ChainExpression': {
      // A part of what is no data is at most as large as the whole.
      const { root, path, computed } = readMemberPath(node)
      const isName = root.type === 'Identifier'
      const size = isName ? readSize(root['name'] as string, path) : estimateCost(root, readSize)
      return 1 + size + sumCosts(computed, readSize)
    }
    case 'ConditionalExpression':
      return measure('test') + measure('consequent') + measure('alternate')
    case 'LogicalExpression':
      return measure('left') + measure('right')
    case 'UnaryExpression':
      return node['operator'] === 'delete' ? Infinity : 12 + measure('argument')
    case 'BinaryExpression': {
      const operator = node['operator'] as string
      // Two digits of a bigint are enough to make gigabytes with these.
      if (operator === '**' || operator === '<<') return Infinity
      return measure('left') + measure('right') + (/^(?:[<>=!]|i)/u.test(operator) ? 5 : SCALAR)
    }
    case 'TemplateLiteral':
      return node.end - node.start + sumCosts(node['expressions'], readSize)
    case 'ArrayExpression':
      return SCALAR + sumCosts(node['elements'], readSize)
    case 'ObjectExpression':
      return SCALAR + sumCosts(node['properties'], readSize)
    case 'SpreadElement':
      return measure('argument') * APART
    case 'Property': {
      const { name, value } = node['key'] as SyntaxNode
      // It sets the prototype, and with it methods that would trust any `length`.
      const isPrototype = !node['computed'] && (name ?? value) === '__proto__'
      if (node['kind'] !== 'init' || node['method'] || isPrototype) return Infinity
      return (node['computed'] ? measure('key') : String(name ?? value).length) + measure('value')
    }
    case 'CallExpression':
    case 'NewExpression':
      return CALL + measureCall(node, readSize)
    default:
      return Infinity
  }
}

function sumCosts(nodes: unknown, readSize: ReadSize): number {
  const all = nodes as readonly (SyntaxNode | null)[]
  return all.reduce((sum, node) => sum + ELEMENT + (node ? estimateCost(node, readSize) : 0), 0)
}

function measureCall(node: SyntaxNode, readSize: ReadSize): number {
  const callee = node['callee'] as SyntaxNode
  const passed = node['arguments'] as SyntaxNode[]
  const isNew = node.type === 'NewExpression'
  if (callee.type === 'Identifier') {
    const name = callee['name'] as string
    const isKnown = (isNew ? constructors : plainFunctions).has(name)
    return isKnown ? (SCALAR + sumCosts(passed, readSize)) * readFactor(name) : Infinity
  }
  if (isNew || callee.type !== 'MemberExpression' || callee['computed']) return Infinity
  const method = (callee['property'] as SyntaxNode)['name'] as string
  const [first, second] = passed
  const whole = estimateCost(callee['object'] as SyntaxNode, readSize)
  if (loops.has(method)) return measureLoop(whole, first, readSize)
  const given = sumCosts(passed, readSize)
  switch (method) {
    // Looking for a text in a text can take a step for each pair of characters.
    case 'includes':
    case 'indexOf':
    case 'lastIndexOf':
    case 'join':
      return whole * (1 + given)
    case 'split':
      return whole * (APART + given)
    case 'replace':
    case 'replaceAll': {
      const replacement = second?.['value']
      // `$&` and the like put parts of the text itself into the replacement.
      const isPlain = typeof replacement === 'string' && !replacement.includes('$')
      return (whole + 1) * (1 + given) * (isPlain ? 1 : whole)
    }
    case 'repeat':
    case 'padStart':
    case 'padEnd':
      return typeof first?.['value'] === 'number' ? (whole + given) * (1 + first['value']) : Infinity
    case 'toString':
    case 'toFixed':
      return whole + given + 1200
    default:
      return method === 'stringify' && second ? Infinity : (whole + given) * readFactor(method)
  }
}

function readFactor(name: string): number {
  return calls.get(name) ?? Infinity
}

/**
 * Calls a function for every element. All elements together are as large as the whole, and a bound never grows slower
 * than its data; so all calls together cost no more than one with the whole, and one with nothing for each element.
 */
function measureLoop(whole: number, callback: SyntaxNode | undefined, readSize: ReadSize): number {
  const measureOne = (element: number): number => {
    if (callback?.type === 'Identifier' && plainFunctions.has(callback['name'] as string))
      return (element + SCALAR) * readFactor(callback['name'] as string)
    if (callback?.type !== 'ArrowFunctionExpression' || !callback['expression']) return Infinity
    const own = new Map<string, number>()
    const sizes = [element, SCALAR, whole]
    for (const [index, pattern] of (callback['params'] as SyntaxNode[]).entries())
      if (!bindNames(pattern, sizes[index] ?? SCALAR, own)) return Infinity
    return estimateCost(callback['body'] as SyntaxNode, (root, path) => own.get(root) ?? readSize(root, path))
  }
  return whole + measureOne(whole) + (whole / ELEMENT) * (measureOne(0) + CALL)
}

/** Gives the names in a pattern the size of what is passed; false for a pattern that computes something. */
function bindNames(pattern: SyntaxNode, size: number, names: Map<string, number>): boolean {
  if (pattern.type === 'Identifier') names.set(pattern['name'] as string, size)
  else if (pattern.type === 'Property')
    return !pattern['computed'] && bindNames(pattern['value'] as SyntaxNode, size, names)
  else if (pattern.type !== 'ObjectPattern' && pattern.type !== 'ArrayPattern') return false
  const parts = (pattern['properties'] ?? pattern['elements'] ?? []) as (SyntaxNode | null)[]
  return parts.every((part) => part === null || bindNames(part, size, names))
}
