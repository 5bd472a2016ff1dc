import { isFlatCallback } from './flat-callback.ts'
import { listChildren } from './javascript.ts'
import type { SyntaxNode } from './javascript.ts'

// A time limit in node:vm starts a thread for every run (50 to 120 µs). Most expressions need none: what they call is
// built in, walks its data a bounded number of times, and cannot call itself.

const plainNodes = new Set(
  `Identifier Literal TemplateLiteral TemplateElement MemberExpression ChainExpression ParenthesizedExpression
  ConditionalExpression LogicalExpression BinaryExpression UnaryExpression ArrayExpression ObjectExpression
  ObjectPattern ArrayPattern Property`.split(/\s+/u),
)

/** Methods whose work is in proportion to receiver and arguments, and whose result is not larger. */
const linearMethods = new Set(
  `toUpperCase toLowerCase trim trimStart trimEnd slice substring substr at charAt charCodeAt codePointAt split
  includes indexOf lastIndexOf startsWith endsWith concat toFixed toISOString getTime valueOf toReversed keys
  values entries hasOwnProperty hasOwn fromEntries isArray isInteger isSafeInteger isFinite isNaN parseInt parseFloat
  parse now UTC getFullYear getMonth getDate getDay getHours getMinutes getSeconds getUTCFullYear getUTCMonth getUTCDate
  getUTCDay getUTCHours getUTCMinutes getUTCSeconds abs ceil floor max min pow round sign sqrt trunc
  random randomUUID randomInt sha256 hmacSha256 hash hmac`.split(/\s+/u),
)

/** Calls whose result can be a few times as large: many in a row could multiply. */
const growingMethods = new Set(['toString', 'stringify', 'join', 'replace', 'replaceAll'])

const callbackMethods = new Set(
  'map filter find findIndex findLast findLastIndex some every flatMap forEach sort toSorted'.split(' '),
)

const plainFunctions = new Set(
  `Number String Boolean parseInt parseFloat isNaN isFinite encodeURIComponent encodeURI decodeURIComponent decodeURI
  btoa atob`.split(/\s+/u),
)

/**
 * Bounds the work of an expression: at most about size-of-its-data to the power returned. `undefined` for anything not
 * known to end, such as loops, functions with a name or body, regular expressions, or calls that can multiply.
 */
export function estimateDegree(root: SyntaxNode): number | undefined {
  let callbacks = 0
  let growing = 0
  const open = [root]
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === 'CallExpression' || node.type === 'NewExpression') {
      const kind = classifyCall(node)
      if (kind === undefined) return undefined
      if (kind === 'callback') callbacks += 1
      if (kind === 'growing') growing += 1
      for (const child of listChildren(node))
        open.push(...(isCallback(child) ? listChildren(child) : [child]))
    } else if (isPlain(node)) open.push(...listChildren(node))
    else return undefined
  }
  return 1 + callbacks + Math.max(0, growing - 3)
}

function isPlain(node: SyntaxNode): boolean {
  if (node.type === 'Literal') return node['regex'] === undefined && node['bigint'] === undefined
  if (node.type === 'Property') return node['kind'] === 'init' && !node['method']
  return plainNodes.has(node.type)
}

function isCallback(node: SyntaxNode): boolean {
  return node.type === 'ArrowFunctionExpression' && node['expression'] === true && !node['async']
}

function classifyCall(node: SyntaxNode): 'callback' | 'growing' | 'linear' | undefined {
  const callee = node['callee'] as SyntaxNode
  const passed = node['arguments'] as SyntaxNode[]
  if (callee.type === 'Identifier') {
    if (passed.some(isCallback)) return undefined
    if (node.type === 'NewExpression') return callee['name'] === 'Date' ? 'linear' : undefined
    return plainFunctions.has(callee['name'] as string) ? 'growing' : undefined
  }
  const property = callee['property'] as SyntaxNode | undefined
  if (node.type === 'NewExpression' || callee.type !== 'MemberExpression' || callee['computed'])
    return undefined
  const method = property?.type === 'Identifier' ? (property['name'] as string) : ''
  if (callbackMethods.has(method)) {
    if (!passed.every(isHarmlessFunction)) return undefined
    return passed.every((node) => isCallback(node) && isFlatCallback(node)) ? 'linear' : 'callback'
  }
  if (passed.some(isCallback)) return undefined
  if (growingMethods.has(method)) return growsLittle(method, passed) ? 'growing' : undefined
  return linearMethods.has(method) ? 'linear' : undefined
}

function isHarmlessFunction(node: SyntaxNode): boolean {
  return isCallback(node) || (node.type === 'Identifier' && plainFunctions.has(node['name'] as string))
}

/** A separator or replacement is short and written out, without `$` patterns; no indent, which multiplies by depth. */
function growsLittle(method: string, passed: readonly SyntaxNode[]): boolean {
  if (method === 'stringify') return passed.length === 1
  return passed.every((node) => {
    const value = node.type === 'Literal' ? node['value'] : undefined
    return (
      typeof value === 'number' || (typeof value === 'string' && value.length <= 8 && !value.includes('$'))
    )
  })
}
