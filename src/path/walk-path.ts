import { isJsonObject, readOwn, type Json } from '../json.ts'
import { readData } from '../safe-json.ts'
import { listNames, showValue } from '../text/show-value.ts'
import { didYouMean, findTypo } from '../text/suggest.ts'
import { compilePath } from './compile-path.ts'
import { formatFieldPath, type PathStep } from './field-path.ts'
import { tracePath, type Lookup, type Trace } from './interpreter.ts'
import type { PathNode } from './path-node.ts'

/** Where a path leads: a value (`null` counts), with a warning when a filter in it compares in vain, or the number of steps of `path` after which nothing was there. */
export type Walk = { found: true; value: Json; warning?: string } | Missing

/** Where a path ends, and what is there. */
export type Missing = { found: false; path: readonly PathStep[]; depth: number; last: Json }

/**
 * Follows a path through own properties only; digits index arrays whether written `[0]` or `.0`. `[*]` and `[?…]` give one
 * list of what is found in the elements; every one of them must have it.
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

function walkElements(list: Json[], path: readonly PathStep[], depth: number): Walk {
  const { each } = path[depth] as { each: string }
  const rest = path.slice(depth + 1)
  const isNested = rest.some((step) => typeof step === 'object')
  const found: Json[] = []
  let { elements, warning } = each === '' ? { elements: list } : filterElements(list, each)
  for (const element of elements) {
    const walk = walkPath(element, rest)
    if (!walk.found) {
      const before = [...path.slice(0, depth), list.indexOf(element)]
      return { ...walk, depth: before.length + walk.depth, path: [...before, ...walk.path] }
    }
    warning ??= walk.warning
    if (isNested) for (const value of walk.value as Json[]) found.push(value)
    else found.push(walk.value)
  }
  return { found: true, value: found, ...(warning !== undefined && { warning }) }
}

function filterElements(list: Json[], filter: string): { elements: Json[]; warning?: string | undefined } {
  const compiled = compilePath(`[?${filter}]`)
  if ('message' in compiled) throw new Error(compiled.message)
  const trace = tracePath(compiled.node, list)
  return { elements: trace.value as Json[], warning: explainComparison(compiled, trace, isTypo) }
}

/** True for a name that was looked for in an object that has one like it. */
function isTypo(name: PathStep | undefined, { last }: { last: Json }, least?: number): boolean {
  return (
    typeof name === 'string' && isJsonObject(last) && findTypo(name, Object.keys(last), least) !== undefined
  )
}

/** True for a path that ends where a name like the missing one is. More than its last name missing is hardly what was meant. */
export function hasTypo(walk: Missing): boolean {
  const { path, depth } = walk
  return isTypo(path[depth], walk, depth < path.length - 1 ? 3 : 5)
}

/** Says which name a comparison found nowhere, if it is one to tell of, or that only the types keep it from holding. */
export function explainComparison(
  path: { source: string },
  { lookups, comparisons }: Trace,
  isTold: (name: string, lookup: Lookup) => boolean = () => true,
): string | undefined {
  for (const [{ name, left, right }, { fits, odd }] of comparisons) {
    const sides = [left, right]
    const asksForNull = sides.some((side) => side.type === 'Literal' && side.value === null)
    const told = sides.filter((side) => {
      const lookup = lookups.get(side)
      return side.type === 'Field' && lookup && !asksForNull && isTold(side.name, lookup)
    })
    const missing = explainMember(path, told, lookups)
    if (missing !== undefined) return missing
    if (!odd || fits) continue
    const shown = `\`${path.source}\` compares ${showValue(odd[0])} with ${showValue(odd[1])}`
    return name in orderSigns
      ? `${shown}, but \`${orderSigns[name]}\` needs numbers`
      : `${shown}, which are never equal`
  }
  return undefined
}

const orderSigns: Readonly<Record<string, string>> = { GT: '>', GTE: '>=', LT: '<', LTE: '<=' }

/** Says which of some names was looked for and found nowhere. */
export function explainMember(
  { source }: { source: string },
  members: readonly PathNode[],
  lookups: Trace['lookups'],
): string | undefined {
  const missing = members.find((member) => lookups.get(member)?.found === false)
  if (missing?.type !== 'Field') return undefined
  const { last } = lookups.get(missing) as Lookup
  const names = isJsonObject(last) ? Object.keys(last) : []
  const there = isJsonObject(last)
    ? `there is: ${listNames(names)}`
    : `it was looked for in ${showValue(last)}`
  return `\`${missing.name}\` in \`${source}\` was found nowhere; ${there}${didYouMean(missing.name, names)}`
}

function readMember(value: Json, name: string | number): Json | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (!Array.isArray(value)) return readOwn(value, String(name))
  if (typeof name === 'string' && !/^\d{1,15}$/.test(name)) return undefined
  return value.at(Number(name))
}

/** The first part of a path that is not there. What is asked for below it is missing for the same reason. */
export function nameGap(root: string, { path, depth }: Missing): string {
  return formatFieldPath(path.slice(0, depth + 1), root)
}

/** Says in words that nothing is at a path, and what is there instead: `nothing at …; … has: …`. */
export function explainMissing(root: string, { path, depth, last }: Missing): string {
  const place = formatFieldPath(path.slice(0, depth), root)
  const name = formatFieldPath(path.slice(depth, depth + 1))
  return `nothing at \`${formatFieldPath(path, root)}\`; \`${place}\` ${describeContent(last, name, place)}`
}

/** Says in words what is at a place, where a name was looked for: `has: …`, `is empty`. */
export function describeContent(value: Json, name: string, place: string): string {
  if (Array.isArray(value)) {
    const count = value.length === 1 ? '1 element' : `${value.length} elements`
    return `is an array of ${count}${name === 'length' ? ': write `length(…)`' : ''}`
  }
  if (value === '') return 'is empty'
  if (typeof value === 'string' && typeof readData(value) === 'object')
    return `is a text with JSON in it, ${showValue(value)}${place === 'body' ? ': `body_as: json` beside `request` reads it' : ''}`
  if (typeof value !== 'object' || value === null) return `is ${showValue(value)}`
  const names = Object.keys(value)
  if (names.length === 0) return 'is an empty object'
  return `has: ${listNames(names)}${didYouMean(name, names)}`
}
