import { readMemberPath, type SyntaxNode } from './javascript.ts'

/**
 * What a value of an expression costs at most: its `size` in characters of JSON, and the `steps` to make it. A step is
 * about a nanosecond; where memory is taken, a few are counted for each character.
 */
export type Cost = { size: number; steps: number }

/** Gives the size of the data at a place that an expression reads. */
export type ReadSize = (root: string, path: readonly (string | number)[]) => number

/** The size of a number, a date or a boolean. */
export const SCALAR = 30
/** What an element adds to a list. No list has more elements than its size holds of these. */
const ELEMENT = 5
/** Of a text that is taken apart each character becomes an element. */
const APART = 8

/** Calls that look at receiver and arguments once and give a scalar (0), or something at most so many times as large. */
const calls = new Map<string, number>(
  `startsWith:0 endsWith:0 charCodeAt:0 codePointAt:0 hasOwnProperty:0 hasOwn:0 has:0 isArray:0 isInteger:0 isFinite:0
  isSafeInteger:0 isNaN:0 Number:0 Boolean:0 parseInt:0 parseFloat:0 now:0 UTC:0 toISOString:0 toJSON:0 getTime:0
  getTimezoneOffset:0 getFullYear:0 getMonth:0 getDate:0 getDay:0 getHours:0 getMinutes:0 getSeconds:0 getMilliseconds:0
  getUTCFullYear:0 getUTCMonth:0 getUTCDate:0 getUTCDay:0 getUTCHours:0 getUTCMinutes:0 getUTCSeconds:0 abs:0 ceil:0
  getUTCMilliseconds:0 floor:0 max:0 min:0 pow:0 round:0 sign:0 sqrt:0 trunc:0 random:0 randomUUID:0 randomInt:0
  slice:1 substring:1 substr:1 at:1 charAt:1 trim:1 trimStart:1 trimEnd:1 concat:1 get:1 toReversed:1 flat:1 valueOf:1
  values:1 String:1 decodeURI:1 decodeURIComponent:1 atob:1 btoa:2 fromEntries:2 toUpperCase:3 toLowerCase:3 sha256:5
  hmacSha256:5 hash:5 hmac:5 entries:60 keys:14 stringify:6 encodeURI:9 encodeURIComponent:9 parse:18`
    .split(/\s+/u)
    .map((entry) => entry.split(':'))
    .map(([name = '', factor]) => [name, Number(factor)]),
)

/** Functions that may be called, or passed to be called, by their bare name. */
const plainFunctions = new Set(
  `Number String Boolean parseInt parseFloat isNaN isFinite encodeURIComponent encodeURI decodeURIComponent decodeURI
  btoa atob`.split(/\s+/u),
)

const searches = new Set(['includes', 'indexOf', 'lastIndexOf', 'split'])
const makers = new Set(['map', 'flatMap'])
const choosers = new Set(['filter', 'find', 'findLast'])
const testers = new Set(['findIndex', 'findLastIndex', 'some', 'every', 'forEach'])

type Names = ReadonlyMap<string, number>
type Walk = { steps: number; readSize: ReadSize }
type Place = { names: Names; walk: Walk }

/** Thrown by the walk and caught where it starts. */
const notBounded = new Error('not bounded')

/**
 * Bounds an expression over data of given sizes; larger sizes never give a smaller bound. Infinite for what is not known
 * to end soon or to stay small: loops, functions that are not passed to a method such as `map`, patterns, unknown methods.
 */
export function estimateCost(root: SyntaxNode, readSize: ReadSize): Cost {
  const walk = { steps: 0, readSize }
  try {
    const size = measure(root, { names: new Map(), walk })
    return { size, steps: walk.steps }
  } catch (error) {
    if (error !== notBounded) throw error
    return { size: Infinity, steps: Infinity }
  }
}

/** The size of what a node gives; its work is added to the walk. */
function measure(node: SyntaxNode, place: Place): number {
  const inner = (key: string): number => measure(node[key] as SyntaxNode, place)
  const { names, walk } = place
  walk.steps += 1
  switch (node.type) {
    case 'Literal':
      if (node['regex'] !== undefined) throw notBounded
      return typeof node['value'] === 'string'
        ? String(node['raw']).length
        : SCALAR + String(node['raw']).length
    case 'ParenthesizedExpression':
    case 'ChainExpression':
      return inner('expression')
    case 'Identifier':
      return names.get(node['name'] as string) ?? walk.readSize(node['name'] as string, [])
    case 'MemberExpression':
      return measureMember(node, place)
    case 'ConditionalExpression':
      inner('test')
      return Math.max(inner('consequent'), inner('alternate'))
    case 'LogicalExpression':
      return Math.max(inner('left'), inner('right'))
    case 'UnaryExpression':
      if (node['operator'] === 'delete') throw notBounded
      return /^[-+~]/u.test(node['operator'] as string)
        ? make(walk, inner('argument') + SCALAR)
        : inner('argument') && SCALAR
    case 'BinaryExpression':
      return measureBinary(node, inner('left') + inner('right'), walk)
    case 'TemplateLiteral':
      return make(walk, node.end - node.start + measureAll(node['expressions'] as SyntaxNode[], place))
    case 'ArrayExpression':
      return make(walk, SCALAR + measureAll(node['elements'] as (SyntaxNode | null)[], place))
    case 'ObjectExpression':
      return make(walk, SCALAR + measureAll(node['properties'] as SyntaxNode[], place))
    case 'SpreadElement':
      return make(walk, inner('argument') * APART)
    case 'Property':
      return measureProperty(node, place)
    case 'CallExpression':
    case 'NewExpression':
      return measureCall(node, place)
    default:
      throw notBounded
  }
}

/** Something new of a size. */
function make(walk: Walk, size: number): number {
  walk.steps += 4 * size
  return size
}

function measureAll(nodes: readonly (SyntaxNode | null)[], place: Place): number {
  return nodes.reduce((sum, node) => sum + ELEMENT + (node ? measure(node, place) : 0), 0)
}

/** `a.b[0]?.c` of the data is read at its place; a part of anything else is at most as large as the whole. */
function measureMember(node: SyntaxNode, place: Place): number {
  const { root, path, computed } = readMemberPath(node)
  for (const key of computed) place.walk.steps += measure(key, place)
  if (root.type !== 'Identifier') return measure(root, place) + SCALAR
  const own = place.names.get(root['name'] as string)
  return own === undefined ? place.walk.readSize(root['name'] as string, path) : own + SCALAR
}

function measureProperty(node: SyntaxNode, place: Place): number {
  if (node['kind'] !== 'init' || node['method']) throw notBounded
  const key = node['key'] as SyntaxNode
  const name = String(key['name'] ?? key['value'])
  // It sets the prototype, and with it methods that would trust any `length`.
  if (!node['computed'] && name === '__proto__') throw notBounded
  return (node['computed'] ? measure(key, place) : name.length) + measure(node['value'] as SyntaxNode, place)
}

function measureBinary(node: SyntaxNode, both: number, walk: Walk): number {
  const operator = node['operator'] as string
  const isNull = [node['left'], node['right']].some((side) => (side as SyntaxNode)['raw'] === 'null')
  if (/^[!=]==$/u.test(operator) || (isNull && /^[!=]=$/u.test(operator))) return SCALAR
  // Two digits of a bigint are enough to make gigabytes with these.
  if (operator === '**' || operator === '<<') throw notBounded
  // Lists and objects become texts.
  const size = make(walk, both + SCALAR)
  return /^(?:[<>=!]|i)/u.test(operator) ? SCALAR : size
}

function measureCall(node: SyntaxNode, place: Place): number {
  const callee = node['callee'] as SyntaxNode
  const passed = node['arguments'] as SyntaxNode[]
  if (callee.type === 'Identifier') return measureFunction(node, callee['name'] as string, place)
  if (node.type === 'NewExpression' || callee.type !== 'MemberExpression' || callee['computed'])
    throw notBounded
  const method = (callee['property'] as SyntaxNode)['name'] as string
  const { walk } = place
  const whole = measure(callee['object'] as SyntaxNode, place)
  if (makers.has(method) || choosers.has(method) || testers.has(method)) {
    const parameters = (element: number): number[] => [element, SCALAR, whole]
    const sum = measureCallback(whole, { callback: passed[0], parameters }, place)
    return makers.has(method) ? make(walk, SCALAR + sum) : choosers.has(method) ? whole : SCALAR
  }
  const given = measureAll(passed, place)
  if (searches.has(method)) {
    // Looking for a text in a text can take a step for each pair of characters.
    walk.steps += whole * (1 + given)
    return method === 'split' ? make(walk, whole * APART) : SCALAR
  }
  if (method === 'join') return make(walk, whole * (1 + given))
  if (method === 'replace' || method === 'replaceAll') return measureReplace(whole, given, { passed, walk })
  if (method === 'repeat') return make(walk, whole * readNumber(passed[0]))
  if (method === 'padStart' || method === 'padEnd') return make(walk, whole + readNumber(passed[0]))
  if (method === 'toString' || method === 'toFixed') return make(walk, whole + 1200)
  if (method === 'stringify' && passed.length > 1) throw notBounded
  return measureKnown(method, whole + given, walk)
}

function measureKnown(name: string, given: number, walk: Walk): number {
  const factor = calls.get(name)
  if (factor === undefined) throw notBounded
  if (factor > 0) return make(walk, (given + SCALAR) * factor)
  walk.steps += given
  return SCALAR
}

function measureFunction(node: SyntaxNode, name: string, place: Place): number {
  const given = measureAll(node['arguments'] as SyntaxNode[], place)
  if (node.type === 'CallExpression') {
    if (plainFunctions.has(name)) return measureKnown(name, given, place.walk)
  } else if (name === 'Date') return make(place.walk, given + SCALAR)
  else if (name === 'Set' || name === 'Map') return make(place.walk, ELEMENT + given * APART)
  throw notBounded
}

function readNumber(node: SyntaxNode | undefined): number {
  const value = node?.['value']
  if (typeof value !== 'number') throw notBounded
  return value + 1
}

function measureReplace(
  whole: number,
  given: number,
  { passed, walk }: { passed: readonly SyntaxNode[]; walk: Walk },
): number {
  const written = passed[1]?.['value']
  walk.steps += whole * given
  // `$&` and the like put parts of the text itself into the replacement.
  const each = typeof written === 'string' && !written.includes('$') ? written.length : given * whole
  return make(walk, whole + (whole + 1) * each)
}

/**
 * Calls a callback for every element. All elements together are as large as the whole, and a bound never grows slower
 * than its data; so all calls together cost no more than one with the whole, and one with nothing for each element.
 */
function measureCallback(whole: number, { callback, parameters }: Call, place: Place): number {
  const one = measureBody(callback, parameters(whole), place)
  const none = measureBody(callback, parameters(0), place)
  const count = whole / ELEMENT
  place.walk.steps += one.steps + count * none.steps
  return one.size + ELEMENT + count * (none.size + ELEMENT)
}

type Call = { callback: SyntaxNode | undefined; parameters: (element: number) => readonly number[] }

/** One call of `x => …`, or of a function such as `Number`. */
function measureBody(
  callback: SyntaxNode | undefined,
  parameters: readonly number[],
  { names, walk }: Place,
): Cost {
  const own = { steps: 16, readSize: walk.readSize }
  if (callback?.type === 'Identifier' && plainFunctions.has(callback['name'] as string)) {
    const given = (parameters[0] ?? 0) + (parameters[1] ?? 0)
    return { size: measureKnown(callback['name'] as string, given, own), steps: own.steps }
  }
  if (callback?.type !== 'ArrowFunctionExpression' || !callback['expression']) throw notBounded
  const known = new Map(names)
  for (const [index, pattern] of (callback['params'] as SyntaxNode[]).entries())
    bindNames(pattern, parameters[index] ?? SCALAR, known)
  const size = measure(callback['body'] as SyntaxNode, { names: known, walk: own })
  return { size, steps: own.steps }
}

function bindNames(pattern: SyntaxNode, size: number, names: Map<string, number>): void {
  if (pattern.type === 'Identifier') names.set(pattern['name'] as string, size)
  else if (pattern.type === 'Property') bindNames(pattern['value'] as SyntaxNode, size, names)
  else if (pattern.type !== 'ObjectPattern' && pattern.type !== 'ArrayPattern') throw notBounded
  else {
    const parts = (pattern['properties'] ?? pattern['elements']) as (SyntaxNode | null)[]
    for (const part of parts) if (part && !part['computed']) bindNames(part, size, names)
  }
}
