import { tryTo } from '../errors.ts'
import { isJsonObject, readOwn, type Json, type ValuePath } from '../json.ts'
import { formatFieldPath } from '../path/field-path.ts'
import { rememberTexts } from '../remember.ts'
import { listNames, previewValue, showValue } from '../text/show-value.ts'
import { didYouMean, findTypo, suggestName } from '../text/suggest.ts'
import { findExpressionReferences, findReferences } from './references.ts'
import { documentedGlobals } from './sandbox/extension-functions.ts'
import { parseExpression } from './syntax/expression.ts'
import { findFreeNames } from './syntax/free-names.ts'
import {
  listChildren,
  listNodes,
  parseJavaScript,
  readMemberPath,
  type SyntaxNode,
} from './syntax/javascript.ts'
import type { DynamicPart } from './template.ts'
import {
  findGap,
  listKnownNames,
  lookup,
  readName,
  readVariable,
  type Names,
  type Scope,
} from './variables/scope.ts'

/** A clause that suggests what an unresolved `{{…}}` meant: a similar name or, if the name is known, a similar key or the keys there are; may be empty. */
export function hintReference(part: DynamicPart, names: Names): string {
  const known = listKnownNames(names)
  if (part.kind !== 'reference') {
    const roots = findReferences([part]).filter(({ kind }) => kind === 'expression')
    return didYouMean(roots.find(({ root }) => !known.includes(root))?.root ?? '', known)
  }
  if (lookup(names, part.root, []) === undefined) return didYouMean(part.root, known)
  const end = findEnd(names, part.root, part.path)
  const nearest = end && suggestName(end.key, end.known)
  if (nearest !== undefined) return ` (did you mean \`${end?.owner}.${nearest}\`?)`
  const isTold = end && end.known.length > 0 && part.root !== '$env'
  return isTold ? `; \`${end.owner}\` has: ${listNames(end.known)}` : ''
}

/** Follows a path as far as it exists; `depth` is the number of keys found. */
function follow(root: Json, path: ValuePath): { depth: number; value: Json } {
  let value = root
  for (const [depth, key] of path.entries()) {
    const next = typeof value === 'object' && value !== null ? readOwn(value, String(key)) : undefined
    if (next === undefined) return { depth, value }
    value = next
  }
  return { depth: path.length, value }
}

type End = { owner: string; key: string; known: string[] }

/** The first key of a path that an object lacks, and the keys that the object has. */
function findEnd(names: Names, root: string, path: ValuePath): End | undefined {
  const { depth, value } = follow(lookup(names, root, []) ?? null, path)
  if (depth === path.length || !isJsonObject(value)) return undefined
  const owner = [root, ...path.slice(0, depth)].join('.')
  return { owner, key: String(path[depth]), known: Object.keys(value) }
}

/** Parts of a condition that ask whether a value is missing, or say what holds if it is. */
export const asksForNothing = /\?\?|\?\.|\|\||\b(?:typeof|undefined|(?:not_)?null)\b/

type Doubts = {
  /** Paths compared with a text or a number. */
  compared: { path: SyntaxNode; literal: SyntaxNode }[]
  /** Lists with a function for their elements, and the keys that the function reads of one. */
  called: { list: SyntaxNode; keys: string[] }[]
}

/** Lists what in a condition may always come out the same without an error. */
const listDoubts = rememberTexts(1000, (condition): Doubts => {
  const nodes = listNodes(parseJavaScript(condition).node)
  return { compared: nodes.flatMap(listCompared), called: nodes.flatMap(listCalled) }
})

function listCompared({ operator, left, right }: SyntaxNode): Doubts['compared'] {
  const literal = right as SyntaxNode | undefined
  const isLiteral = typeof literal?.['value'] === 'string' || /^\d+$/.test(String(literal?.['raw']))
  return literal && isLiteral && /^[!=]==$/.test(String(operator))
    ? [{ path: left as SyntaxNode, literal }]
    : []
}

function listCalled({ callee, arguments: given }: SyntaxNode): Doubts['called'] {
  const { object, computed } = (callee ?? {}) as SyntaxNode
  const { type, params, body } = ((given as SyntaxNode[] | undefined)?.[0] ?? {}) as SyntaxNode
  const [element, ...others] = (params ?? []) as SyntaxNode[]
  if (!object || computed || type !== 'ArrowFunctionExpression' || !element?.['name'] || others.length > 0)
    return []
  const reads = findFreeNames(body as SyntaxNode).filter(({ name }) => name === element['name'])
  const keys = reads.flatMap(({ path: [key] }) => (typeof key === 'string' ? key : []))
  return [{ list: object as SyntaxNode, keys }]
}

/**
 * Explains what is doubtful in a condition: it reads a missing name that is close to an existing one, or (if it holds, and
 * does not choose as in `Array.isArray(x) ? x[0].id : x.id`) a name below a list or plain value, or compares values that
 * only their types keep from being equal (`!==` then always holds, `===` never). Undefined if nothing is.
 */
export function findMisspelt(condition: string, names: Names, holds = true): string | undefined {
  if (asksForNothing.test(condition)) return undefined
  const references = findExpressionReferences(parseExpression(condition))
  for (const { root, path } of references) {
    const end = findEnd(names, root, path)
    const typo = end && findMeant(end.key, end.known)
    if (typo !== undefined)
      return `reads \`${end?.owner}.${end?.key}\`, which is not there (did you mean \`${typo}\`?)`
    const { depth, value } = follow(lookup(names, root, []) ?? null, path)
    const key = path[depth]
    const isOwner = value === null || isJsonObject(value) || (key as string) in Object(value)
    if (holds && typeof key === 'string' && !isOwner && !/\?|isArray|instanceof/.test(condition)) {
      const [read, owner] = [depth + 1, depth].map((count) => formatFieldPath(path.slice(0, count), root))
      return `reads \`${read}\`, while \`${owner}\` is \`${previewValue(value)}\``
    }
  }
  const { compared, called } = listDoubts(condition)
  const writtenAs = ({ start, end }: SyntaxNode): string => condition.slice(start, end)
  /** The value at a path from outside; not of what a function takes. */
  const readPath = (node: SyntaxNode): Json | undefined => {
    const { root, path, computed } = readMemberPath(node)
    const isRead = computed.length === 0 && references.some(({ offset }) => offset === root.start)
    return isRead ? lookup(names, root['name'] as string, path) : undefined
  }
  for (const { path, literal } of compared) {
    const value = readPath(path) ?? null
    const isOther = (typeof value === 'string') === (typeof literal['value'] === 'number')
    if (isOther && typeof value !== 'object' && String(value) === String(literal['value']))
      return `compares ${showValue(value)} at \`${writtenAs(path)}\` with \`${writtenAs(literal)}\`, which is never equal`
  }
  for (const { list, keys } of called) {
    const elements = readPath(list)
    const known = Array.isArray(elements)
      ? [...new Set(elements.filter(isJsonObject).flatMap(Object.keys))]
      : []
    for (const key of keys) {
      const typo = known.includes(key) ? undefined : findMeant(key, known)
      if (typo !== undefined)
        return `reads \`${key}\`, which no element of \`${writtenAs(list)}\` has (did you mean \`${typo}\`?)`
    }
  }
  return undefined
}

/** The known name that a condition means. Short names may also lack or add one letter, but not the first (`nam` for `name`, not `age` for `page`). */
export function findMeant(name: string, known: readonly string[]): string | undefined {
  const isNear = (one: string): boolean =>
    one[0] === name[0] && one.length !== name.length && Math.max(one.length, name.length) > 3
  return findTypo(name, known) ?? findTypo(name, known.filter(isNear), 3)
}

/**
 * Says which name that a condition has read has no value, and why: `!(response_time > limit)` would hold without a `limit`.
 * Undefined if all have one, or the condition allows for that.
 */
export function findUnset(condition: string, names: Names & Pick<Scope, 'engine'>): string | undefined {
  const references = findExpressionReferences(parseExpression(condition))
  const offsets = listAsked(condition)
  const asked = new Set(
    references.flatMap(({ root, offset, gap }) => (gap === 'asked' || offsets.has(offset) ? root : [])),
  )
  const holds = ({ start, end }: SyntaxNode): boolean =>
    tryTo(() => names.engine.evaluate(`!!(${condition.slice(start, end)})`, names)) === true
  let skipped: SyntaxNode[] | undefined
  for (const { root, path, kind, offset } of references) {
    if (asked.has(root)) continue
    const [name, keys] = kind === 'env' ? ['$env', [root]] : [root, path]
    const gap = findGap(names, name, keys)
    // A member may be missing, as in an answer, but what another suite exports is a name of its own.
    const isWhole =
      kind === 'env' || (readVariable(names, name) === undefined && Object.hasOwn(names.exports, name))
    const own = isWhole ? keys.slice(0, 1) : []
    if (gap === undefined && readName(names, name, own) !== undefined) continue
    skipped ??= listSkipped(parseJavaScript(condition).node, holds)
    if (skipped.some(({ start, end }) => start <= offset && offset < end)) continue
    if (gap !== undefined) return `\`${[name, ...keys].join('.')}\` has no value: ${gap}`
    return `\`${[name, ...own].join('.')}\` has no value`
  }
  return undefined
}

/** The parts of an expression that do not count: `b` of `a || b` if `a` holds, one branch of `a ? b : c`, or `a` of `a || 1`, which has a default. */
function listSkipped(root: SyntaxNode, holds: (part: SyntaxNode) => boolean): SyntaxNode[] {
  return listNodes(root, ({ type }) => !type.includes('Function')).flatMap((node) => {
    const { type, operator } = node
    const [left, right] = [node['left'], node['right']] as SyntaxNode[]
    if (type === 'ConditionalExpression')
      return node[holds(node['test'] as SyntaxNode) ? 'alternate' : 'consequent'] as SyntaxNode
    if (type !== 'LogicalExpression' || !left || !right || operator === '??') return []
    if (holds(left) === (operator === '||')) return right
    return operator === '||' && isFixed(right) ? left : []
  })
}

/** True for what reads no name, such as `-1`. */
function isFixed(node: SyntaxNode): boolean {
  return findFreeNames(node).every(({ name }) => name === 'undefined')
}

/** Where a condition reads names that may be missing: it takes them as true or false, compares them with a literal, or passes them to what judges any value. */
const listAsked = rememberTexts(1000, (condition): ReadonlySet<number> => {
  const findName = (node: SyntaxNode): number =>
    node.type === 'ParenthesizedExpression'
      ? findName(node['expression'] as SyntaxNode)
      : readMemberPath(node).root.start
  return new Set(listNodes(parseJavaScript(condition).node).flatMap(listAskedOperands).map(findName))
})

function listAskedOperands(node: SyntaxNode): SyntaxNode[] {
  const { type, operator, left, right, argument, test, callee, arguments: given } = node
  const sides = [left, right] as SyntaxNode[]
  if (test) return [test as SyntaxNode]
  if (operator === '!') return [argument as SyntaxNode]
  if (type === 'LogicalExpression') return sides
  if (type === 'BinaryExpression') {
    return sides.some(isFixed) && /^[!=]=/.test(String(operator)) ? sides : []
  }
  if (type !== 'CallExpression') return []
  const { root, path } = readMemberPath(callee as SyntaxNode)
  const name = String(path.at(-1) ?? root['name'])
  // `['a', 'b'].includes(x)` and `/a|b/.test(x)` compare with literals, and what is not there cannot be called.
  const isJudge = /^(?:Literal|Array)/.test(root.type) || /^(?:Boolean|is[A-Z]\w+)$/.test(name)
  if (!isJudge && (path.length > 0 || documentedGlobals.has(name))) return []
  // `[x, y].filter(Boolean)` judges what it is called on, too.
  const elements = /^(?:filter|find)$/.test(name) ? listChildren(root) : []
  return [callee as SyntaxNode, ...(given as SyntaxNode[]), ...elements]
}

/** Shows what a condition read, at most 5 values: `body.total` is `3`, `limit` is `5`. Undefined if it read nothing that has a value. */
export function showReads(condition: string, names: Names): string | undefined {
  const shown = new Set<string>()
  for (const { name, path } of parseExpression(condition).freeNames) {
    // `variables` is a value only with a name after it; the values of environment variables are not shown.
    const start = path.slice(0, name === 'variables' ? 1 : 0)
    const root = name === '$env' ? undefined : lookup(names, name, start)
    if (root === undefined) continue
    // The value at the path, or the object of a method call at its end.
    const rest = path.slice(start.length)
    const { depth, value } = follow(root, rest)
    const isMissing =
      depth < rest.length && isJsonObject(value) && !((rest[depth] as string) in Object.prototype)
    const read = formatFieldPath(path.slice(0, start.length + depth + (isMissing ? 1 : 0)), name)
    shown.add(`\`${read}\` is \`${isMissing ? 'undefined' : previewValue(value)}\``)
  }
  return shown.size === 0 ? undefined : [...shown].slice(0, 5).join(', ')
}
