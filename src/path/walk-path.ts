import { isJsonObject, readOwn, type Json } from '../json.ts'
import { readData } from '../safe-json.ts'
import { countOf } from '../text/units.ts'
import { listNames, quoteCode, showValue } from '../text/show-value.ts'
import { didYouMean, findTypo } from '../text/suggest.ts'
import { compilePath } from './compile-path.ts'
import { formatFieldPath, showPathStep, type PathStep } from './field-path.ts'
import { tracePath, type Trace } from './interpreter.ts'
import type { FieldNode } from './path-node.ts'

type Expression = { source: string }

/** The value at a path (`null` counts), with a warning about a filter in it, or where the path ends. */
export type Walk = { found: true; value: Json; warning?: string | undefined } | Missing

/** Where a path ends: `last` is the value after `depth` steps, which lacks the next one. */
export type Missing = { found: false; path: readonly PathStep[]; depth: number; last: Json }

/**
 * Follows a path through own properties and array indexes (`[0]` or `.0`). After `[*]` or `[?…]`, the rest is
 * followed in each element and the results form one list; every element must have it.
 */
export function walkPath(root: Json, path: readonly PathStep[]): Walk {
  let value = root
  for (const [depth, step] of path.entries()) {
    if (typeof step === 'object' && Array.isArray(value)) return walkElements(value, path, depth)
    const next = typeof step === 'object' ? undefined : readMember(value, step)
    if (next === undefined) return { found: false, path, depth, last: value }
    value = next
  }
  return { found: true, value }
}

function readMember(value: Json, name: string | number): Json | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (!Array.isArray(value)) return readOwn(value, String(name))
  if (typeof name === 'string' && !/^\d{1,15}$/.test(name)) return undefined
  return value.at(Number(name))
}

function walkElements(list: Json[], path: readonly PathStep[], depth: number): Walk {
  const { each } = path[depth] as { each: string }
  const rest = path.slice(depth + 1)
  const isNested = rest.some((step) => typeof step === 'object')
  const found: Json[] = []
  let { value: elements, warning } = each === '' ? { value: list } : filterElements(list, each)
  for (const element of elements) {
    const walk = walkPath(element, rest)
    if (!walk.found) {
      const before = [...path.slice(0, depth), list.indexOf(element)]
      return { ...walk, depth: before.length + walk.depth, path: [...before, ...walk.path] }
    }
    warning ??= walk.warning
    found.push(walk.value)
  }
  return { found: true, value: isNested ? found.flat() : found, ...(warning !== undefined && { warning }) }
}

function filterElements(list: Json[], filter: string): { value: Json[]; warning?: string | undefined } {
  const compiled = compilePath(`[?${filter}]`)
  if ('message' in compiled) throw new Error(compiled.message)
  const trace = tracePath(compiled.node, list)
  return { value: trace.value as Json[], warning: explainNoMatch(compiled, trace) }
}

/** True if a similar name exists, or one of the names in a JSON Pointer or call (`/id`, `length(id)`). Shorter names count if more than the last step is missing. */
export function hasTypo(missing: Missing): boolean {
  const { path, depth, last } = missing
  const name = path[depth]
  if (typeof name !== 'string' || !isJsonObject(last)) return false
  if (hintDot('', missing) !== '') return true
  if (name.split(/[/()\s]/).some((part) => part !== name && Object.hasOwn(last, part))) return true
  return findTypo(name, Object.keys(last), depth < path.length - 1 ? 3 : 5) !== undefined
}

/** Explains why an expression may find nothing: a misspelt name or an odd comparison; else undefined. */
export function explainNoMatch(path: Expression, trace: Trace): string | undefined {
  const near = findNearMiss(trace, (name, known) =>
    /^(?:variables|body)$/.test(name) ? name : findTypo(name, known),
  )
  return near ? explainName(path, near) : explainTypes(path, trace)
}

/** The first name that was found nowhere although a similar one exists, and where it was looked up. */
export function findNearMiss(
  { lookups }: Trace,
  suggest: (name: string, known: string[]) => string | undefined,
): { name: string; last: Json; nearest: string } | undefined {
  for (const [{ name }, { found, last }] of lookups) {
    const nearest = !found && isJsonObject(last) ? suggest(name, Object.keys(last)) : undefined
    if (nearest !== undefined) return { name, last, nearest }
  }
  return undefined
}

const orderSigns: Readonly<Record<string, string>> = { GT: '>', GTE: '>=', LT: '<', LTE: '<=' }

/** Explains a comparison whose outcome depends only on the types of values; undefined if there is none. */
export function explainTypes({ source }: Expression, { odd }: Trace): string | undefined {
  if (odd === undefined) return undefined
  const order = orderSigns[odd.sign]
  const why = order === undefined ? 'which are never equal' : `but \`${order}\` needs numbers`
  return `${quoteCode(source)} compares ${showValue(odd.left)} with ${showValue(odd.right)}, ${why}`
}

/** Explains which of `members` was looked up but found nowhere; undefined if there is none. */
export function explainMember(
  path: Expression,
  members: readonly FieldNode[],
  { lookups }: Trace,
): string | undefined {
  const missing = members.find((member) => lookups.get(member)?.found === false)
  const lookup = missing && lookups.get(missing)
  return lookup && explainName(path, { name: missing.name, last: lookup.last })
}

function explainName({ source }: Expression, { name, last }: { name: string; last: Json }): string {
  const names = isJsonObject(last) ? Object.keys(last) : []
  const there = isJsonObject(last)
    ? `available: ${listNames(names)}`
    : `it was looked for in ${showValue(last)}`
  return `\`${name}\` in ${quoteCode(source)} was not found; ${there}${didYouMean(name, names)}`
}

/** The path up to its first missing part. Everything below that is missing for the same reason. */
export function nameGap(root: string, { path, depth }: Missing): string {
  return formatFieldPath(path.slice(0, depth + 1), root)
}

/** Explains that there is nothing at a path, and what is there instead: `nothing at …; … has: …`. */
export function explainMissing(root: string, missing: Missing): string {
  const { path, depth, last } = missing
  const place = formatFieldPath(path.slice(0, depth), root)
  const name = formatFieldPath(path.slice(depth, depth + 1))
  return `nothing at \`${formatFieldPath(path, root)}\`; \`${place}\` ${describeContent(last, name, place)}${hintDot(root, missing)}`
}

/** Gives the path to a field whose name has dots, `a["b.c"]` for `a.b.c`, if there is one; else nothing. */
export function hintDot(root: string, { path, depth, last }: Missing): string {
  if (!isJsonObject(last)) return ''
  const names = path.slice(depth).map(showPathStep)
  const joined = names.map((_, index) => names.slice(0, index + 1).join('.'))
  const at = joined.findIndex((name, index) => index > 0 && Object.hasOwn(last, name))
  if (at === -1) return ''
  const meant = [...path.slice(0, depth), joined[at] as string, ...path.slice(depth + at + 1)]
  return `; for a name with a dot, write \`${formatFieldPath(meant, root)}\``
}

/** Describes the value that lacks a name: `has: …`, `is empty`. `place` is the path of the value. */
export function describeContent(value: Json, name: string, place: string): string {
  if (Array.isArray(value))
    return `is an array of ${countOf(value.length, 'element')}${name === 'length' ? ': write `length(…)`' : ''}`
  if (value === '') return 'is empty'
  if (typeof value === 'string' && typeof readData(value) === 'object')
    return `is a string that contains JSON, ${showValue(value)}${place === 'body' ? ': add `body_as: json` beside `request` to read it' : ''}`
  if (typeof value === 'string' && place === 'body' && /^\s*</.test(value))
    return `is ${showValue(value)}, which is not JSON: to look into it, write \`xpath\` or \`css\``
  if (typeof value !== 'object' || value === null) return `is ${showValue(value)}`
  const names = Object.keys(value)
  if (names.length === 0) return 'is an empty object'
  return `has: ${listNames(names)}${didYouMean(name, names)}`
}
