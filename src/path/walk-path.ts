import { isJsonObject, readOwn, type Json, type JsonObject } from '../json.ts'
import { readData } from '../safe-json.ts'
import { listNames, showValue } from '../text/show-value.ts'
import { didYouMean, findTypo } from '../text/suggest.ts'
import { compilePath } from './compile-path.ts'
import { formatFieldPath, type PathStep } from './field-path.ts'
import { tracePath, type Trace } from './interpreter.ts'
import type { PathNode } from './path-node.ts'

/** Where a path leads: a value (`null` counts), with a warning when a filter in it compares in vain, or the number of steps of `path` after which nothing was there. */
export type Walk = { found: true; value: Json; warning?: string | undefined } | Missing

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
    if (isNested) for (const value of walk.value as Json[]) found.push(value)
    else found.push(walk.value)
  }
  return { found: true, value: found, ...(warning !== undefined && { warning }) }
}

function filterElements(list: Json[], filter: string): { value: Json[]; warning?: string | undefined } {
  const compiled = compilePath(`[?${filter}]`)
  if ('message' in compiled) throw new Error(compiled.message)
  const trace = tracePath(compiled.node, list)
  return { value: trace.value as Json[], warning: explainVain(compiled, trace) }
}

/** True for a path that ends where a name like the missing one is. More than its last name missing is hardly what was meant. */
export function hasTypo({ path, depth, last }: Missing): boolean {
  const name = path[depth]
  if (typeof name !== 'string' || !isJsonObject(last)) return false
  return findTypo(name, Object.keys(last), depth < path.length - 1 ? 3 : 5) !== undefined
}

/** Says what keeps an expression from finding or matching anything: a name that misspells one that is there, or the types of what it compares. */
export function explainVain(path: { source: string }, trace: Trace): string | undefined {
  const lost = findLost(trace.lookups, findTypo)
  return lost ? explainName(path, lost.node, lost) : explainTypes(path, trace)
}

type Lost = { node: PathNode & { type: 'Field' }; last: JsonObject; nearest: string }

/** The first name that is not there, where a name like it is. */
export function findLost(lookups: Trace['lookups'], suggest: typeof findTypo): Lost | undefined {
  for (const [node, { found, last }] of lookups) {
    if (found || node.type !== 'Field' || !isJsonObject(last)) continue
    const nearest = suggest(node.name, Object.keys(last))
    if (nearest !== undefined) return { node, last, nearest }
  }
  return undefined
}

const orderSigns: Readonly<Record<string, string>> = { GT: '>', GTE: '>=', LT: '<', LTE: '<=' }

/** Says of a comparison that only the types of its values decide how it comes out. */
export function explainTypes({ source }: { source: string }, { odd }: Trace): string | undefined {
  if (odd === undefined) return undefined
  const order = orderSigns[odd.sign]
  const why = order === undefined ? 'which are never equal' : `but \`${order}\` needs numbers`
  return `\`${source}\` compares ${showValue(odd.left)} with ${showValue(odd.right)}, ${why}`
}

/** Says which of some names was looked for and found nowhere. */
export function explainMember(
  path: { source: string },
  members: readonly PathNode[],
  { lookups }: Trace,
): string | undefined {
  const missing = members.find((member) => lookups.get(member)?.found === false)
  const lookup = missing && lookups.get(missing)
  return lookup && explainName(path, missing, lookup)
}

function explainName({ source }: { source: string }, node: PathNode, { last }: { last: Json }): string {
  const { name } = node as { name: string }
  const names = isJsonObject(last) ? Object.keys(last) : []
  const there = isJsonObject(last)
    ? `there is: ${listNames(names)}`
    : `it was looked for in ${showValue(last)}`
  return `\`${name}\` in \`${source}\` was found nowhere; ${there}${didYouMean(name, names)}`
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
