import { findCommon } from '../compare-json.ts'
import { isJsonObject, parseDecimal, readOwn, type Json, type ValuePath } from '../json.ts'
import { formatFieldPath } from '../path/field-path.ts'
import { isPartOfHeader } from './header-names.ts'
import { rememberTexts } from '../remember.ts'
import { foldText, previewValue, showValue } from '../text/show-value.ts'
import { findExpressionReferences, type Reference } from './references.ts'
import { extensionFunctions } from './sandbox/extension-functions.ts'
import { findMeant, follow } from './suggest-reference.ts'
import { parseExpression } from './syntax/expression.ts'
import { findFreeNames } from './syntax/free-names.ts'
import { listNodes, parseJavaScript, readMemberPath, type SyntaxNode } from './syntax/javascript.ts'
import { lookup, type Names } from './variables/scope.ts'

/** Matches conditions that ask whether a value is missing or that have a default. */
export const asksForNothing = /\?\?|\?\.|\|\||\b(?:typeof|undefined|(?:not_)?null)\b/

/** A comparison that asks for a value, and yet holds if there is none. */
const IS_NOT_NULL = /!==\s*null\b|\bnull\s*!==/g

const COMPARES = /^(?:[!=]==?|[<>]=?)$/

const CONVERTS =
  /^(?:String|Number|parseFloat|parseInt|JSON\.stringify|Date\.parse|new Date|Math\.(?:abs|ceil|floor|round|trunc))\(/

type Side = { node: SyntaxNode; value: Json; text: string }

/** The parts of a condition that doubts are about. */
const readParts = rememberTexts(1000, (condition) => {
  const { node } = parseJavaScript(condition)
  const writtenAs = ({ start, end }: SyntaxNode): string => condition.slice(start, end)
  // In a calculation, every part decides: `a` and `b` in `Number(a) * 100 + b`, and what is passed to a user-defined function.
  const isCalculated = (part: SyntaxNode): boolean =>
    part.type === 'ParenthesizedExpression' ||
    /^[-+*/%]$/.test(String(part['operator'])) ||
    CONVERTS.test(writtenAs(part)) ||
    extensionFunctions.has(String((readMemberPath(part).root['callee'] as SyntaxNode | undefined)?.['name']))
  const listSources = (side: SyntaxNode): SyntaxNode[] => listNodes(side, isCalculated)
  const nodes = listNodes(node)
  const decisive = listTerms(node, true)
  const sources = decisive.flatMap((term) => {
    const sides = listSides(term)
    const isEqual = !condition.includes('!') && sides.some(({ type }) => type === 'Literal')
    return sides
      .flatMap(listSources)
      .map((source) => Object.assign(readMemberPath(source), { source, isEqual }))
  })
  const references = findExpressionReferences(parseExpression(condition))
  // An operand of `&&` that asks whether a value is missing expects that.
  const asking = listTerms(node).filter((term) =>
    asksForNothing.test(writtenAs(term).replaceAll(IS_NOT_NULL, '')),
  )
  const isAsked = (at: number): boolean => asking.some(({ start, end }) => start <= at && at < end)
  const asked = new Set(
    references.flatMap(({ root, path, offset }) => (isAsked(offset) ? formatFieldPath(path, root) : [])),
  )
  return {
    writtenAs,
    /** What it reads, except values that it asks for. */
    references: references.filter(({ root, path }) => !asked.has(formatFieldPath(path, root))),
    /** Offsets of the paths that it must have compared if it holds: `a.x` and `b.y` in `a.x !== 1 && ![1, 2].includes(b.y)`. */
    operands: sources.flatMap(({ root, computed }) =>
      root.type === 'Identifier' && computed.length === 0 ? root.start : [],
    ),
    /** The same of results of calls, such as `rows(id)[0].state`, unless it equals something: then it is there. */
    results: sources.flatMap(({ source, root, isEqual }) =>
      root.type === 'CallExpression' && !isEqual && !isAsked(source.start) ? writtenAs(source) : [],
    ),
    elementReads: nodes
      .flatMap((call) => listElementReads(call, listSources))
      .filter(({ offset }) => !isAsked(offset)),
    comparisons: nodes.flatMap((one) => {
      const { operator, callee, arguments: [right] = [] } = one as SyntaxNode & { arguments?: SyntaxNode[] }
      if (operator === 'in' || COMPARES.test(String(operator))) return one
      const { object: left, property } = (callee ?? {}) as { object?: SyntaxNode; property?: SyntaxNode }
      const isSearch = /^(?:includes|indexOf)$/.test(String(property?.['name']))
      return left && right && isSearch ? { operator: 'includes', left, right } : []
    }),
    /** What stands on both sides of a comparison, as in `Number(a) === a`. */
    same: decisive.flatMap((term) => {
      const [left, right] = listSides(term).map((side) =>
        writtenAs(side).replace(/^(?:Number|String)\((.*)\)$/, '$1'),
      )
      return left !== undefined && left === right ? left : []
    })[0],
  }
})

/** The operands of `!` and `&&`; with `outcome`, only those that must have been evaluated for it. */
function listTerms(node: SyntaxNode, outcome?: boolean): SyntaxNode[] {
  const { type, operator, expression, argument, left, right } = node
  if (type === 'ParenthesizedExpression') return listTerms(expression as SyntaxNode, outcome)
  if (operator === '!') return listTerms(argument as SyntaxNode, outcome && false)
  if (operator !== '&&') return [node]
  return [left, ...(outcome === false ? [] : [right])].flatMap((side) =>
    listTerms(side as SyntaxNode, outcome),
  )
}

/** What is compared: both sides of an operator, or what `includes` and `test` look for or at. */
function listSides({ operator, left, right, callee, arguments: given }: SyntaxNode): SyntaxNode[] {
  if (COMPARES.test(String(operator))) return [left, right] as SyntaxNode[]
  const method = ((callee as SyntaxNode | undefined)?.['property'] as SyntaxNode | undefined)?.['name']
  return method === 'includes' || method === 'test' ? (given as SyntaxNode[]) : []
}

type ElementRead = { list: SyntaxNode; text: string; offset: number; path: ValuePath; isCompared: boolean }

/** What a callback reads of the elements of a list: `one.id` in `body.items.every((one) => one.id > 0)`. */
function listElementReads(
  { callee, arguments: given }: SyntaxNode,
  listSources: (side: SyntaxNode) => SyntaxNode[],
): ElementRead[] {
  const { object: list, property } = (callee ?? {}) as { object?: SyntaxNode; property?: SyntaxNode }
  const callback = (given as SyntaxNode[] | undefined)?.[0]
  const element = (callback?.['params'] as SyntaxNode[] | undefined)?.[0]
  if (!list || !callback || !element) return []
  const body = callback['body'] as SyntaxNode
  const judged = property?.['name'] === 'map' ? [body] : listTerms(body, false).flatMap(listSides)
  const compared = new Set(judged.flatMap(listSources).map(({ start }) => start))
  const fields = ((element['properties'] ?? []) as SyntaxNode[]).filter(({ shorthand }) => shorthand)
  return findFreeNames(body).flatMap(({ name, path, offset }) => {
    const isField = fields.some(({ key }) => (key as SyntaxNode)['name'] === name)
    const whole = isField ? [name, ...path] : path
    const isRead = (isField || name === element['name']) && whole.length > 0
    const read = { list, text: formatFieldPath(path, name), offset, path: whole }
    return isRead ? [{ ...read, isCompared: compared.has(offset) }] : []
  })
}

/**
 * Explains what is doubtful in a condition, else undefined: a missing name that is similar to an existing one; if it `holds`, a
 * name below a list or plain value, unless it distinguishes cases, and a missing one that it compares; a comparison that
 * types alone decide.
 */
export function findDoubt(condition: string, names: Names, holds = true): string | undefined {
  const { references, elementReads, comparisons, same, writtenAs } = readParts(condition)
  const readSide = (given: unknown): Side => {
    const node = given as SyntaxNode
    const { root, path, computed } = readMemberPath(node)
    // Not what starts at a parameter of a callback.
    const isRead = computed.length === 0 && references.some(({ offset }) => offset === root.start)
    const value = isRead ? lookup(names, root['name'] as string, path) : node['value']
    return { node, value: (value ?? null) as Json, text: writtenAs(node) }
  }
  const doubts = [
    holds && same !== undefined ? `compares \`${same}\` with itself` : undefined,
    ...references.map((reference) => doubtReference(condition, reference, { names, holds })),
    ...elementReads.map(({ list, text, path, isCompared }) => {
      const gone = explainGone(readSide(list).value, path, holds && isCompared)
      return gone && `reads \`${text}\`, which no element of \`${writtenAs(list)}\` has (${gone})`
    }),
    ...comparisons.map(({ operator, left, right }) =>
      doubtComparison(String(operator), readSide(left), readSide(right)),
    ),
  ]
  return doubts.find((doubt) => doubt !== undefined)
}

function doubtReference(
  condition: string,
  { root, path, offset }: Reference,
  { names, holds }: { names: Names; holds: boolean },
): string | undefined {
  const { depth, value } = follow(lookup(names, root, []) ?? null, path)
  const key = path[depth]
  if (key === undefined) return undefined
  const [read = '', owner] = [depth + 1, depth].map((count) => formatFieldPath(path.slice(0, count), root))
  const meant = isJsonObject(value) ? findMeant(String(key), Object.keys(value)) : undefined
  if (meant !== undefined) return `reads \`${read}\`, which is not there (did you mean \`${meant}\`?)`
  const isThere = value === null || (key as string) in Object(value)
  const isOwner = isThere || isJsonObject(value)
  if (holds && typeof key === 'string' && !isOwner && !/\?|isArray|instanceof/.test(condition))
    return `reads \`${read}\`, but \`${owner}\` is \`${previewValue(value)}\``
  if (holds && !isThere && readParts(condition).operands.includes(offset))
    return explainAbsence(read, condition)
  return undefined
}

/** What a condition may have compared if it holds that is a result of a call, or a part of one, as it is written. */
export function listReadResults(condition: string): readonly string[] {
  return readParts(condition).results
}

export function explainAbsence(read: string, condition: string): string {
  const hint = condition.includes(`${read} !== null`)
    ? 'a missing value is no null: to refuse both, write `!= null`'
    : 'if it may be missing, write a default: `(… ?? 0)`'
  return `compares \`${read}\`, which is not there (${hint})`
}

/** What was meant, or what to write, if no element of a list has what is read. */
function explainGone(list: Json, path: ValuePath, isCompared: boolean): string | undefined {
  let values: Json[] = [list].flat()
  for (const key of path) {
    const maps = values.filter(isJsonObject)
    const fields = [...new Set(maps.flatMap(Object.keys))]
    if (typeof key !== 'string' || key in Object.prototype) return undefined
    if (!fields.includes(key)) {
      const meant = findMeant(key, fields)
      if (meant !== undefined) return `did you mean \`${meant}\`?`
      const isGone = isCompared && maps.length > 0 && maps.length === values.length
      return isGone ? 'if it may be missing, write a default: `(… ?? 0)`' : undefined
    }
    values = maps.flatMap((one) => readOwn(one, key) ?? [])
  }
  return undefined
}

/** Explains a comparison that is decided by the types of both sides, not by their values. */
function doubtComparison(operator: string, left: Side, right: Side): string | undefined {
  const [one, other] = [left.value, right.value]
  if (operator === 'in') {
    // A number as it is written is an index.
    const isKey = typeof one === 'string' || (typeof one === 'number' && left.node.type !== 'Literal')
    return Array.isArray(other) && isKey && !(one in other)
      ? `looks for a key of \`${right.text}\`, which is a list: write \`${right.text}.includes(${left.text})\``
      : undefined
  }
  const doubt = /^[!=i]/.test(operator) ? doubtHeader(operator, left, right) : undefined
  if (doubt !== undefined || operator === 'includes') return doubt
  if (/^[!=]/.test(operator)) {
    if (/^(?:Array|Object|New)Expression$/.test(right.node.type))
      return `compares \`${left.text}\` with \`${right.text}\`, which equals no other list or object: compare both as \`JSON.stringify(…)\``
    const [look, otherLook] = [one, other].map((text) => typeof text === 'string' && foldText(text).trim())
    if (operator.startsWith('!') && one !== other && look !== false && look === otherLook)
      return `compares ${showValue(one)} at \`${left.text}\` with ${showValue(other)}, which differs only in upper and lower case or looks the same`
    const isOdd = operator.length === 3 && typeof one !== typeof other
    return isOdd && findCommon(one, other) !== undefined
      ? `compares ${showValue(one)} at \`${left.text}\` with \`${right.text}\`, which is never equal`
      : undefined
  }
  const [amount, most] = [parseDecimal(one), parseDecimal(other)]
  if (amount === undefined || most === undefined || (one as string) < (other as string) === amount < most)
    return undefined
  return `compares \`${left.text}\` and \`${right.text}\`, which are ${showValue(one)} and ${showValue(other)}, as texts: write \`Number(…)\` around each to compare numbers`
}

/** Explains that a header is a list because it came several times, or has more than it is compared with; else undefined. */
function doubtHeader(operator: string, left: Side, right: Side): string | undefined {
  const isLines = ({ value, text }: Side): boolean => Array.isArray(value) && text.startsWith('headers')
  const lines = [left, right].find(isLines)
  if (operator.startsWith('!') && left.text.startsWith('headers') && isPartOfHeader(right.value, left.value))
    return `compares the whole header ${showValue(left.value)}: write \`!${left.text}.includes(${right.text})\``
  if (lines === undefined) return undefined
  const list = lines.value as string[]
  const { value: sought } = lines === left ? right : left
  // A list has no texts within its texts, and equals none.
  const isLost =
    operator === 'includes' && lines === left
      ? typeof sought === 'string' && !list.includes(sought) && list.some((line) => line.includes(sought))
      : operator === 'includes' || typeof sought === 'string'
  return isLost
    ? `reads \`${lines.text}\` as one text, though it came ${list.length} times: write \`${lines.text}.some((one) => …)\``
    : undefined
}
