import { isEqual } from '../compare-json.ts'
import { isNumber, maxDigits, parseJson, stringifyJson, type Json, type JsonObject } from '../json.ts'
import { showValue } from '../text/show-value.ts'
import type { PathNode } from './path-node.ts'

type ApplyReference = (reference: PathNode, value: Json) => Json

type Key = number | bigint | string

/** Functions that replace those of the library, which has already checked the types of the arguments. */
export const ownFunctions: Readonly<Record<string, (args: Json[], apply: ApplyReference) => Json>> = {
  contains: ([subject, wanted]) => {
    if (Array.isArray(subject)) return subject.some((item) => isEqual(wanted as Json, item))
    return typeof wanted === 'string' ? (subject as string).includes(wanted) : null
  },
  // The library fails for names that `Object.prototype` has, such as `constructor`.
  group_by: ([items, key], apply) =>
    Object.groupBy(items as Json[], (item) => readText(apply(key as never, item))) as JsonObject,
  max: ([items]) => sortItems(items, -1)[0] ?? null,
  max_by: ([items, key], apply) => sortItems(items, -1, (item) => apply(key as never, item))[0] ?? null,
  merge: (objects) => Object.assign(Object.create(null), ...(objects as JsonObject[])) as JsonObject,
  min: ([items]) => sortItems(items, 1)[0] ?? null,
  min_by: ([items, key], apply) => sortItems(items, 1, (item) => apply(key as never, item))[0] ?? null,
  sort: ([items]) => sortItems(items, 1),
  sort_by: ([items, key], apply) => sortItems(items, 1, (item) => apply(key as never, item)),
  // Accepts only what JSON accepts; the library also reads `''` as 0, `0x10` as 16, and `Infinity`.
  to_number: ([value]) => {
    const isWritten = typeof value === 'string' && /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(value)
    return isNumber(value) ? value : isWritten ? parseJson(value, maxDigits) : null
  },
  to_string: ([value]) => (typeof value === 'string' ? value : stringifyJson(value)),
  trim: (args) => trim(args),
  trim_left: (args) => trim(args, 'left'),
  trim_right: (args) => trim(args, 'right'),
}

function readText(key: Json): string {
  if (typeof key === 'string') return key
  throw new Error(`group_by() can only group by strings, got ${showValue(key)}`)
}

/** Sorts by key. The library sorts numbers as text and does not know bigints. */
function sortItems(items: Json | undefined, sign: 1 | -1, keyOf = (item: Json): Json => item): Json[] {
  const keyed = (items as Json[]).map((item) => ({ item, key: readKey(keyOf(item)) }))
  return keyed.sort((a, b) => compareKeys(a.key, b.key) * sign).map(({ item }) => item)
}

function readKey(value: Json): Key {
  if (isNumber(value) || typeof value === 'string') return value
  throw new Error(`only numbers or only strings can be sorted, got ${showValue(value)}`)
}

function compareKeys(a: Key, b: Key): number {
  if ((typeof a === 'string') !== (typeof b === 'string'))
    throw new Error(`a number and a string cannot be sorted together: ${showValue(a)}, ${showValue(b)}`)
  return a < b ? -1 : Number(a > b)
}

// The library trims with `(.*?)[ ]*$`, which takes quadratic time on hostile text.
function trim([text, signs]: Json[], ends = 'both'): string {
  const whole = text as string
  const isOff = (sign: string): boolean => (signs ? (signs as string).includes(sign) : sign.trim() === '')
  let [from, to] = [0, whole.length]
  if (ends !== 'right') while (from < to && isOff(whole.charAt(from))) from += 1
  if (ends !== 'left') while (from < to && isOff(whole.charAt(to - 1))) to -= 1
  return whole.slice(from, to)
}
