import { findCommon } from '../compare-json.ts'
import { isJsonObject, parseDecimal, readOwn, type Json, type ValuePath } from '../json.ts'
import { formatFieldPath } from '../path/field-path.ts'
import { rememberTexts } from '../remember.ts'
import { listNames, previewValue, showValue } from '../text/show-value.ts'
import { didYouMean, findTypo, suggestName } from '../text/suggest.ts'
import { findExpressionReferences, findReferences, type Reference } from './references.ts'
import { parseExpression } from './syntax/expression.ts'
import { listNodes, parseJavaScript, readMemberPath, type SyntaxNode } from './syntax/javascript.ts'
import type { DynamicPart } from './template.ts'
import { listKnownNames, lookup, type Names } from './variables/scope.ts'

/** Suggests what a `{{…}}` without a value meant: a similar name or key, or which keys exist. */
export function hintReference(part: DynamicPart, names: Names): string {
  const known = listKnownNames(names)
  if (part.kind !== 'reference') {
    const roots = findReferences([part]).filter(({ kind }) => kind === 'expression')
    return didYouMean(roots.find(({ root }) => !known.includes(root))?.root ?? '', known)
  }
  if (lookup(names, part.root, []) === undefined) return didYouMean(part.root, known)
  const { root, path } = part
  const { depth, value } = follow(lookup(names, root, []) ?? null, path)
  if (!isJsonObject(value)) return ''
  const owner = [root, ...path.slice(0, depth)].join('.')
  const keys = Object.keys(value)
  const nearest = suggestName(String(path[depth]), keys)
  if (nearest !== undefined) return ` (did you mean \`${owner}.${nearest}\`?)`
  return keys.length > 0 && root !== '$env' ? `; \`${owner}\` has: ${listNames(keys)}` : ''
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

/** Matches conditions that ask whether a value is missing or that have a default. */
export const asksForNothing = /\?\?|\?\.|\|\||\b(?:typeof|undefined|(?:not_)?null)\b/

/** Paths that a condition compares with a string or a whole number. */
const listCompared = rememberTexts(1000, (condition): { path: SyntaxNode; literal: SyntaxNode }[] =>
  listNodes(parseJavaScript(condition).node).flatMap(({ operator, left, right }) => {
    const literal = right as SyntaxNode | undefined
    const isLiteral =
      typeof literal?.['value'] === 'string' || /^\d+(?:\.\d+)?$/.test(String(literal?.['raw']))
    return literal && isLiteral && /^[!=]==$/.test(String(operator))
      ? [{ path: left as SyntaxNode, literal }]
      : []
  }),
)

/** The sides of each `<` or `>` in a condition. */
const listOrdered = rememberTexts(1000, (condition): [SyntaxNode, SyntaxNode][] =>
  listNodes(parseJavaScript(condition).node).flatMap(({ operator, left, right }) =>
    /^[<>]=?$/.test(String(operator)) ? [[left as SyntaxNode, right as SyntaxNode]] : [],
  ),
)

/** Offsets of the paths that a condition must have compared if it holds: `a.x` and `b.y` in `a.x !== 1 && ![1, 2].includes(b.y)`. */
const listOperands = rememberTexts(1000, (condition): number[] =>
  listEvaluated(parseJavaScript(condition).node, true)
    .flatMap((node) => listSides(node).flatMap((side) => listSources(side, condition)))
    .flatMap((source) => {
      const { root, computed } = readMemberPath(source)
      return root.type === 'Identifier' && computed.length === 0 ? root.start : []
    }),
)

/** What is compared: both sides of an operator, or what `includes` and `test` look for or at. */
function listSides({ operator, left, right, callee, arguments: given }: SyntaxNode): SyntaxNode[] {
  if (/^(?:[!=]==?|[<>]=?)$/.test(String(operator))) return [left, right] as SyntaxNode[]
  const method = ((callee as SyntaxNode | undefined)?.['property'] as SyntaxNode | undefined)?.['name']
  return method === 'includes' || method === 'test' ? (given as SyntaxNode[]) : []
}

/** Comparisons with a list or object that is written out, which equals no other one. */
const listNew = rememberTexts(1000, (condition): { left: SyntaxNode; right: SyntaxNode }[] =>
  listNodes(parseJavaScript(condition).node).flatMap(({ operator, left, right }) =>
    /^[!=]==$/.test(String(operator)) && /^(?:Array|Object|New)Expression$/.test((right as SyntaxNode).type)
      ? [{ left: left as SyntaxNode, right: right as SyntaxNode }]
      : [],
  ),
)

const CONVERTS =
  /^(?:String|Number|parseFloat|parseInt|JSON\.stringify|Date\.parse|new Date|Math\.(?:abs|ceil|floor|round|trunc))\(/

/** What a compared value is computed from: `a` and `b` in `Number(a) * 100 + b`. */
function listSources(node: SyntaxNode, condition: string): SyntaxNode[] {
  const { type, operator, expression, argument, left, right } = node
  const isConverted = CONVERTS.test(condition.slice(node.start, node.end))
  const given = isConverted ? (node['arguments'] as SyntaxNode[] | undefined)?.[0] : undefined
  const inner = type === 'ParenthesizedExpression' ? expression : given
  const parts = /^[-+*/%]$/.test(String(operator)) ? [left, right, argument] : [inner]
  const known = parts.filter((part) => part !== undefined) as SyntaxNode[]
  return known.length === 0 ? [node] : known.flatMap((part) => listSources(part, condition))
}

/** The operands of `&&` that do not ask whether a value is missing: what they read should be there. */
const listDoubted = rememberTexts(1000, (condition): SyntaxNode[] =>
  listTerms(parseJavaScript(condition).node).filter(
    ({ start, end }) => !asksForNothing.test(condition.slice(start, end)),
  ),
)

function listTerms(node: SyntaxNode): SyntaxNode[] {
  const { type, operator, expression, left, right } = node
  if (type === 'ParenthesizedExpression') return listTerms(expression as SyntaxNode)
  return operator === '&&' ? [left, right].flatMap((side) => listTerms(side as SyntaxNode)) : [node]
}

/** The operands of `!` and `&&` that must have been evaluated; all of `&&` only if it is known to be true. */
function listEvaluated(node: SyntaxNode, isTrue: boolean): SyntaxNode[] {
  const { type, operator, expression, argument, left, right } = node
  if (type === 'ParenthesizedExpression') return listEvaluated(expression as SyntaxNode, isTrue)
  if (operator === '!') return listEvaluated(argument as SyntaxNode, false)
  if (operator !== '&&') return [node]
  return [left, ...(isTrue ? [right] : [])].flatMap((side) => listEvaluated(side as SyntaxNode, isTrue))
}

/** What callbacks read of the elements of a list: `one.id` in `body.items.every((one) => one.id > 0)`. */
const listElementReads = rememberTexts(1000, (condition): { list: SyntaxNode; read: SyntaxNode }[] =>
  listNodes(parseJavaScript(condition).node).flatMap(({ callee, arguments: given }) => {
    const list = (callee as SyntaxNode | undefined)?.['object'] as SyntaxNode | undefined
    const callback = (given as SyntaxNode[] | undefined)?.[0]
    const element = (callback?.['params'] as SyntaxNode[] | undefined)?.[0]?.['name']
    if (!list || !callback || element === undefined) return []
    const isRead = (node: SyntaxNode): boolean =>
      node.type === 'MemberExpression' && (node['object'] as SyntaxNode)['name'] === element
    return listNodes(callback).flatMap((read) => (isRead(read) ? { list, read } : []))
  }),
)

/**
 * Explains what is doubtful in a condition, else undefined: a missing name that is similar to an existing one; if it holds, a
 * name below a list or plain value, unless it distinguishes cases, and a missing one that it compares; values compared whose
 * types alone differ.
 */
export function findMisspelt(condition: string, names: Names, holds = true): string | undefined {
  const doubted = listDoubted(condition)
  const isDoubted = (at: number): boolean => doubted.some(({ start, end }) => start <= at && at < end)
  const all = findExpressionReferences(parseExpression(condition))
  const asked = new Set(all.filter(({ offset }) => !isDoubted(offset)).map(spell))
  const references = all.filter((reference) => !asked.has(spell(reference)))
  for (const { root, path, offset } of references) {
    const { depth, value } = follow(lookup(names, root, []) ?? null, path)
    const key = path[depth]
    if (key === undefined) continue
    const [read, owner] = [depth + 1, depth].map((count) => formatFieldPath(path.slice(0, count), root))
    const typo = isJsonObject(value) ? findMeant(String(key), Object.keys(value)) : undefined
    if (typo !== undefined) return `reads \`${read}\`, which is not there (did you mean \`${typo}\`?)`
    const isThere = value === null || (key as string) in Object(value)
    const isOwner = isThere || isJsonObject(value)
    if (holds && typeof key === 'string' && !isOwner && !/\?|isArray|instanceof/.test(condition))
      return `reads \`${read}\`, but \`${owner}\` is \`${previewValue(value)}\``
    if (holds && !isThere && listOperands(condition).includes(offset))
      return `compares \`${read}\`, which is not there (if it may be missing, write a default: \`(… ?? 0)\`)`
  }
  const writtenAs = ({ start, end }: SyntaxNode): string => condition.slice(start, end)
  const readValue = (node: SyntaxNode): Json => {
    if (typeof node['value'] === 'string') return node['value']
    const { root, path, computed } = readMemberPath(node)
    // Not what starts at a parameter of a callback.
    const isRead = computed.length === 0 && references.some(({ offset }) => offset === root.start)
    return (isRead ? lookup(names, root['name'] as string, path) : undefined) ?? null
  }
  for (const { list, read } of listElementReads(condition)) {
    const typo = isDoubted(read.start) ? findMeantField(list, read, names) : undefined
    if (typo !== undefined)
      return `reads \`${writtenAs(read)}\`, which no element of \`${writtenAs(list)}\` has (did you mean \`${typo}\`?)`
  }
  for (const { path: compared, literal } of listCompared(condition)) {
    const value = readValue(compared)
    const isOther = (typeof value === 'string') === (typeof literal['value'] === 'number')
    if (isOther && findCommon(value, literal['value'] as Json) !== undefined)
      return `compares ${showValue(value)} at \`${writtenAs(compared)}\` with \`${writtenAs(literal)}\`, which is never equal`
  }
  for (const { left, right } of listNew(condition))
    return `compares \`${writtenAs(left)}\` with \`${writtenAs(right)}\`, which equals no other list or object: compare both as \`JSON.stringify(…)\``
  for (const [left, right] of listOrdered(condition)) {
    const [one, other] = [readValue(left), readValue(right)]
    const [amount, most] = [parseDecimal(one), parseDecimal(other)]
    if (amount !== undefined && most !== undefined && (one as string) < (other as string) !== amount < most)
      return `compares \`${writtenAs(left)}\` and \`${writtenAs(right)}\`, which are ${showValue(one)} and ${showValue(other)}, as texts: write \`Number(…)\` around each to compare numbers`
  }
  return undefined
}

function spell({ root, path }: Reference): string {
  return [root, ...path].join()
}

/** The field of the elements of a list that was meant, if no element has the one that is read. */
function findMeantField(list: SyntaxNode, read: SyntaxNode, names: Names): string | undefined {
  const { root, path } = readMemberPath(list)
  const elements = [lookup(names, String(root['name']), path) ?? []].flat()
  const fields = [...new Set(elements.filter(isJsonObject).flatMap(Object.keys))]
  const field = readMemberPath(read).path[0]
  return typeof field !== 'string' || fields.includes(field) ? undefined : findMeant(field, fields)
}

/** The known name that was meant. Short names may also lack or add a letter (`nam`), but not the first. */
export function findMeant(name: string, known: readonly string[]): string | undefined {
  const isNear = (one: string): boolean =>
    one[0] === name[0] && one.length !== name.length && Math.max(one.length, name.length) > 3
  return findTypo(name, known) ?? findTypo(name, known.filter(isNear), 3)
}

/** Shows at most 5 values that a condition read: `body.total` is `3`, `limit` is `5`. Undefined if none. */
export function showReads(condition: string, names: Names): string | undefined {
  const shown = new Set<string>()
  for (const { name, path } of parseExpression(condition).freeNames) {
    // `variables` is shown only with a name after it, and environment variables are never shown.
    const start = path.slice(0, name === 'variables' ? 1 : 0)
    const root = name === '$env' ? undefined : lookup(names, name, start)
    if (root === undefined) continue
    // The value at the path or, if the path ends with a method, the object it is called on.
    const rest = path.slice(start.length)
    const { depth, value } = follow(root, rest)
    const isMissing =
      depth < rest.length && isJsonObject(value) && !((rest[depth] as string) in Object.prototype)
    const read = formatFieldPath(path.slice(0, start.length + depth + (isMissing ? 1 : 0)), name)
    shown.add(`\`${read}\` is \`${isMissing ? 'undefined' : previewValue(value)}\``)
  }
  return shown.size === 0 ? undefined : [...shown].slice(0, 5).join(', ')
}
