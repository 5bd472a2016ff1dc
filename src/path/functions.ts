import { isEqual, measureLength } from '../compare-json.ts'
import { showValue } from '../text/show-value.ts'

import { isNumber, parseJson, stringifyJson, type Json, type JsonObject } from '../json.ts'
import type { PathNode } from './path-node.ts'

/** Evaluates an `&expression` argument on a value. */
type ApplyReference = (reference: PathNode, value: Json) => Json

/** A function of JMESPath, with its arguments already evaluated. */
export type OwnFunction = (args: Json[], apply: ApplyReference) => Json
type Key = number | bigint | string

const MAX_TEXT = 10_000_000

/** Functions of JMESPath that replace the library's; their arguments have been checked against the library's signatures. */
export const ownFunctions: Readonly<Record<string, OwnFunction>> = {
  contains: ([subject, wanted]) => {
    if (Array.isArray(subject)) return subject.some((item) => isEqual(wanted as Json, item))
    return typeof wanted === 'string' ? (subject as string).includes(wanted) : null
  },
  group_by: ([items, key], apply) => groupItems(items as Json[], (item) => apply(key as never, item)),
  map: ([key, items], apply) => (items as Json[]).map((item) => apply(key as never, item)),
  max: ([items]) => pickItem(items as Key[], { sign: 1, keyOf: readKey }),
  max_by: ([items, key], apply) =>
    pickItem(items as Json[], { sign: 1, keyOf: keyReader(key as Json, apply) }),
  merge: (objects) => Object.assign(Object.create(null), ...(objects as JsonObject[])) as JsonObject,
  min: ([items]) => pickItem(items as Key[], { sign: -1, keyOf: readKey }),
  min_by: ([items, key], apply) =>
    pickItem(items as Json[], { sign: -1, keyOf: keyReader(key as Json, apply) }),
  pad_left: ([text, width, padding]) => padText(text as string, width as number, { padding, left: true }),
  pad_right: ([text, width, padding]) => padText(text as string, width as number, { padding, left: false }),
  replace: ([text, search, by, count]) =>
    replaceText(text as string, search as string, { by: by as string, count }),
  reverse: ([value]) =>
    typeof value === 'string' ? Array.from(value).toReversed().join('') : (value as Json[]).toReversed(),
  sort: ([items]) => sortItems(items as Json[], readKey),
  sort_by: ([items, key], apply) => sortItems(items as Json[], keyReader(key as Json, apply)),
  to_number: ([value]) => toNumber(value as Json),
  to_string: ([value]) => (typeof value === 'string' ? value : stringifyJson(value)),
  trim: ([text, signs]) => trimText(text as string, signs, { left: true, right: true }),
  trim_left: ([text, signs]) => trimText(text as string, signs, { left: true, right: false }),
  trim_right: ([text, signs]) => trimText(text as string, signs, { left: false, right: true }),
}

/** A number as JSON writes it (JMESPath, `to_number`): the library reads `''` as 0, and `0x10` and `Infinity`. */
function toNumber(value: Json): Json {
  if (isNumber(value)) return value
  return typeof value === 'string' && /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(value)
    ? parseJson(value)
    : null
}

function groupItems(items: Json[], keyOf: (item: Json) => Json): JsonObject {
  const groups = Object.create(null) as { [key: string]: Json[] }
  for (const item of items) {
    const key = keyOf(item)
    if (typeof key !== 'string') throw new Error(`group_by() wants text to group by, got ${showValue(key)}`)
    ;(groups[key] ??= []).push(item)
  }
  return groups
}

function keyReader(key: Json, apply: ApplyReference): (item: Json) => Key {
  return (item) => readKey(apply(key as never, item))
}

function readKey(value: Json): Key {
  if (isNumber(value) || typeof value === 'string') return value
  throw new Error(`only numbers or only texts can be put in order, got ${showValue(value)}`)
}

function compareKeys(a: Key, b: Key): number {
  if ((typeof a === 'string') !== (typeof b === 'string'))
    throw new Error(`a number and a text cannot be put in order: ${showValue(a)}, ${showValue(b)}`)
  return a < b ? -1 : Number(a > b)
}

function sortItems(items: Json[], keyOf: (item: Json) => Key): Json[] {
  const keyed = items.map((item) => ({ item, key: keyOf(item) }))
  return keyed.sort((a, b) => compareKeys(a.key, b.key)).map(({ item }) => item)
}

function pickItem(items: Json[], { sign, keyOf }: { sign: 1 | -1; keyOf: (item: Json) => Key }): Json {
  let best: { item: Json; key: Key } | undefined
  for (const item of items) {
    const key = keyOf(item)
    if (best === undefined || compareKeys(key, best.key) * sign > 0) best = { item, key }
  }
  return best?.item ?? null
}

function padText(text: string, width: number, how: { padding: Json | undefined; left: boolean }): string {
  const padding = how.padding ?? ' '
  if (typeof padding !== 'string' || measureLength(padding) !== 1)
    throw new Error(`padding wants one character, got ${showValue(padding)}`)
  if (!Number.isInteger(width) || width < 0 || width > MAX_TEXT)
    throw new Error(`padding wants a width from 0 to ${MAX_TEXT}, got ${showValue(width)}`)
  const missing = padding.repeat(Math.max(0, width - measureLength(text)))
  return how.left ? missing + text : text + missing
}

function replaceText(
  text: string,
  search: string,
  { by, count }: { by: string; count: Json | undefined },
): string {
  const parts = text.split(search)
  const limit = (count ?? Infinity) as number
  if (limit < 0 || (limit !== Infinity && !Number.isInteger(limit)))
    throw new Error(`replace() wants a non-negative integer as count, got ${showValue(limit)}`)
  const replaced = Math.min(limit, parts.length - 1)
  if (text.length + by.length * replaced > MAX_TEXT)
    throw new Error(`replace() makes more than ${MAX_TEXT} characters`)
  return [parts.slice(0, replaced + 1).join(by), ...parts.slice(replaced + 1)].join(search)
}

// The library trims with `(.*?)[ ]*$`, which takes quadratic time on hostile text.
function trimText(text: string, signs: Json | undefined, sides: { left: boolean; right: boolean }): string {
  if (typeof signs !== 'string' || signs === '') {
    const left = sides.left ? text.trimStart() : text
    return sides.right ? left.trimEnd() : left
  }
  const characters = Array.from(text)
  const trimmed = new Set(signs)
  let [start, end] = [0, characters.length]
  while (sides.left && start < end && trimmed.has(characters[start] as string)) start += 1
  while (sides.right && end > start && trimmed.has(characters[end - 1] as string)) end -= 1
  return characters.slice(start, end).join('')
}
