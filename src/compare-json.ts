import { isNumber, readOwn, stringifyJson, type Json, type JsonObject } from './json.ts'

/** How two values are compared. */
type Comparison = {
  /** Objects may have more fields than expected, at every level. */
  partial?: boolean
  /** Numbers and booleans equal their strings. */
  loose?: boolean
  /** How many differences to keep; all are counted. Comparing stops at the first when 0. */
  keep: number
}

/** A difference; an absent side is undefined. */
export type Difference = { path: (string | number)[]; expected?: Json; actual?: Json }

type Link = { parent: Link; key: string | number } | undefined
type Pair = { link: Link; expected: Json | undefined; actual: Json | undefined }

/** Finds all differences of two JSON values, strict on types, blind to key order; iterates, so any depth is fine. */
export function findDifferences(
  expected: Json,
  actual: Json,
  comparison: Comparison,
): { count: number; kept: Difference[] } {
  const kept: Difference[] = []
  let count = 0
  const pending: Pair[] = [{ link: undefined, expected, actual }]
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const children = pairChildren(pair, comparison)
    if (children === 'equal') continue
    if (children !== 'different') {
      for (let index = children.length - 1; index >= 0; index -= 1) pending.push(children[index] as Pair)
      continue
    }
    count += 1
    if (comparison.keep === 0) break
    if (kept.length < comparison.keep) kept.push(toDifference(pair))
  }
  return { count, kept }
}

/** True when two JSON values are equal (or, with `partial`, when the second has all of the first). */
export function isEqual(
  expected: Json,
  actual: Json,
  how: { partial?: boolean; loose?: boolean | undefined } = {},
): boolean {
  const { partial = false, loose = false } = how
  return findDifferences(expected, actual, { partial, loose, keep: 0 }).count === 0
}

function pairChildren({ link, expected, actual }: Pair, how: Comparison): Pair[] | 'equal' | 'different' {
  if (expected === actual) return 'equal'
  if (expected === undefined || actual === undefined) return 'different'
  if (typeof expected !== 'object' || typeof actual !== 'object' || expected === null || actual === null)
    return how.loose && equalAsText(expected, actual) ? 'equal' : 'different'
  if (Array.isArray(expected) !== Array.isArray(actual)) return 'different'
  return Array.isArray(expected)
    ? pairItems(link, expected, actual as Json[])
    : pairFields({ link, expected, actual }, how.partial === true)
}

function pairItems(link: Link, expected: Json[], actual: Json[]): Pair[] {
  const pairs: Pair[] = []
  for (let index = 0; index < Math.max(expected.length, actual.length); index += 1) {
    if (expected[index] === actual[index]) continue
    pairs.push({ link: { parent: link, key: index }, expected: expected[index], actual: actual[index] })
  }
  return pairs
}

function pairFields(pair: Pair, partial: boolean): Pair[] {
  const [expected, actual] = [pair.expected as JsonObject, pair.actual as JsonObject]
  const pairs: Pair[] = []
  const add = (key: string): void => {
    const sides = { expected: readOwn(expected, key), actual: readOwn(actual, key) }
    if (sides.expected !== sides.actual) pairs.push({ link: { parent: pair.link, key }, ...sides })
  }
  for (const key of Object.keys(expected)) add(key)
  if (!partial) for (const key of Object.keys(actual)) if (!Object.hasOwn(expected, key)) add(key)
  return pairs
}

function equalAsText(expected: Json, actual: Json): boolean {
  const [a, b] = [expected, actual]
  if (typeof a === 'string' && (isNumber(b) || typeof b === 'boolean')) return a === String(b)
  if (typeof b === 'string' && (isNumber(a) || typeof a === 'boolean')) return b === String(a)
  return false
}

function toDifference({ link, expected, actual }: Pair): Difference {
  const path: (string | number)[] = []
  for (let at = link; at !== undefined; at = at.parent) path.push(at.key)
  return {
    path: path.toReversed(),
    ...(expected !== undefined && { expected }),
    ...(actual !== undefined && { actual }),
  }
}

const MAX_LEVELS = 100
const MAX_VALUES = 10_000
const MAX_TEXT = 20_000

/** True when a value is small and flat enough for a structural diff: printers recurse, and diffing is not linear. */
export function canDiff(value: Json): boolean {
  let [values, text] = [0, 0]
  let layer: Json[] = [value]
  for (let level = 0; layer.length > 0; level += 1) {
    values += layer.length
    for (const item of layer) if (typeof item === 'string') text += item.length
    if (level > MAX_LEVELS || values > MAX_VALUES || text > MAX_TEXT) return false
    layer = layer.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []))
  }
  return true
}

type Part = { text: string } | { value: Json }

/** Writes a value as text that is the same for equal values (keys sorted, `-0` as `0`); iterates, so any depth is fine. */
export function canonicalText(value: Json): string {
  const done: string[] = []
  const pending: Part[] = [{ value }]
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if ('text' in part) done.push(part.text)
    else if (typeof part.value !== 'object' || part.value === null)
      done.push(part.value === 0 ? '0' : stringifyJson(part.value))
    else {
      const inner = openValue(part.value)
      for (let index = inner.length - 1; index >= 0; index -= 1) pending.push(inner[index] as Part)
    }
  }
  return done.join('')
}

function openValue(value: Json[] | { [key: string]: Json }): Part[] {
  if (Array.isArray(value))
    return [{ text: '[' }, ...value.flatMap((item) => [{ value: item }, { text: ',' }]), { text: ']' }]
  const fields = Object.keys(value)
    .sort()
    .flatMap((key) => [{ text: `${JSON.stringify(key)}:` }, { value: value[key] as Json }, { text: ',' }])
  return [{ text: '{' }, ...fields, { text: '}' }]
}

/** Counts characters (Unicode code points, as JSON Schema does), array elements or object fields. */
export function measureLength(value: Json): number {
  if (typeof value === 'string') return countCharacters(value)
  return Array.isArray(value) ? value.length : Object.keys(value as object).length
}

function countCharacters(text: string): number {
  let count = text.length
  for (let at = 0; at < text.length - 1; at += 1)
    if ((text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) count -= 1
  return count
}
