import { isEqual } from '../compare-json.ts'
import { isNumber, parseJson, stringifyJson, type Json, type JsonObject } from '../json.ts'
import { showValue } from '../text/show-value.ts'
import type { PathNode } from './path-node.ts'

/** Evaluates an `&expression` argument on a value. */
type ApplyReference = (reference: PathNode, value: Json) => Json

type Key = number | bigint | string

/** Functions of JMESPath that replace the library's; their arguments have been checked against the library's signatures. */
export const ownFunctions: Readonly<Record<string, (args: Json[], apply: ApplyReference) => Json>> = {
  contains: ([subject, wanted]) => {
    if (Array.isArray(subject)) return subject.some((item) => isEqual(wanted as Json, item))
    return typeof wanted === 'string' ? (subject as string).includes(wanted) : null
  },
  group_by: ([items, key], apply) =>
    Object.groupBy(items as Json[], (item) => readText(apply(key as never, item))) as JsonObject,
  max: ([items]) => sortItems(items, -1)[0] ?? null,
  max_by: ([items, key], apply) => sortItems(items, -1, (item) => apply(key as never, item))[0] ?? null,
  merge: (objects) => Object.assign(Object.create(null), ...(objects as JsonObject[])) as JsonObject,
  min: ([items]) => sortItems(items, 1)[0] ?? null,
  min_by: ([items, key], apply) => sortItems(items, 1, (item) => apply(key as never, item))[0] ?? null,
  reverse: ([value]) =>
    typeof value === 'string' ? Array.from(value).toReversed().join('') : (value as Json[]).toReversed(),
  sort: ([items]) => sortItems(items, 1),
  sort_by: ([items, key], apply) => sortItems(items, 1, (item) => apply(key as never, item)),
  // As JSON writes numbers: the library reads `''` as 0, and `0x10` and `Infinity`.
  to_number: ([value]) => {
    const isWritten = typeof value === 'string' && /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(value)
    return isNumber(value) ? value : isWritten ? parseJson(value) : null
  },
  to_string: ([value]) => (typeof value === 'string' ? value : stringifyJson(value)),
  trim: ([text, signs]) => trimEnd(trimStart(text as string, signs), signs),
  trim_left: ([text, signs]) => trimStart(text as string, signs),
  trim_right: ([text, signs]) => trimEnd(text as string, signs),
}

function readText(key: Json): string {
  if (typeof key === 'string') return key
  throw new Error(`group_by() wants text to group by, got ${showValue(key)}`)
}

/** The library sorts numbers as text, and knows no integers above 2⁵³. */
function sortItems(items: Json | undefined, sign: 1 | -1, keyOf = (item: Json): Json => item): Json[] {
  const keyed = (items as Json[]).map((item) => ({ item, key: readKey(keyOf(item)) }))
  return keyed.sort((a, b) => compareKeys(a.key, b.key) * sign).map(({ item }) => item)
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

// The library trims with `(.*?)[ ]*$`, which takes quadratic time on hostile text.
function trimStart(text: string, signs: Json | undefined): string {
  if (typeof signs !== 'string' || signs === '') return text.trimStart()
  let at = 0
  while (at < text.length && signs.includes(text.charAt(at))) at += 1
  return text.slice(at)
}

function trimEnd(text: string, signs: Json | undefined): string {
  if (typeof signs !== 'string' || signs === '') return text.trimEnd()
  let at = text.length
  while (at > 0 && signs.includes(text.charAt(at - 1))) at -= 1
  return text.slice(0, at)
}
