import { tryTo } from './errors.ts'
import { takeStart } from './text/show-value.ts'
import { formatBytes } from './text/units.ts'
import { maxDepth, maxDigits, parseJson, stringifyJson, type Json, type JsonObject } from './json.ts'

export type JsonLeaf = null | boolean | number | bigint | string

/**
 * How much of a value is secret:
 * - `true` all of it, `false` nothing
 * - `all` the same, except in a schema that describes it
 * - `value` all of it, except members that describe it, such as `expires_at`
 * - `items` an element of a list that is a `value`: all of it, unless it is a sentence
 * - `members` all of it, except members that describe it or name its owner, such as `username`
 * - `several` the same under a plural, where a number only counts: `tokens: 12`
 * - `errors` nothing: it is a map of error messages
 * - `about` a message in such a map about a secret field: all of it, unless it is a remark like `required`
 */
export type Secrecy = boolean | 'all' | 'members' | 'several' | 'value' | 'items' | 'errors' | 'about'

/** The secrecy of what is inside a list or map. */
export function ofItems(list: Secrecy): Secrecy {
  if (list === 'several') return 'members'
  return list === 'value' ? 'items' : list
}

/** How `copyJson` rewrites leaves and keys. `judgeKey` gives a member's secrecy, given that of its object, and this object. */
export type JsonRewrite = {
  leaf: (value: JsonLeaf, secret: Secrecy) => JsonLeaf
  key: (key: string) => string
  judgeKey: (key: string, holder: Secrecy, map: JsonObject) => Secrecy
}

export function isDeeper(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  // A loop, because a body can have a million values and `some` with a callback takes three times as long.
  for (const member of Array.isArray(value) ? value : Object.values(value))
    if (isDeeper(member, levels - 1)) return true
  return false
}

/** Parses a text as JSON. Returns the text itself if it is not JSON, too deep, or has too long an integer. */
export function readData(text: string): Json {
  const json = tryTo(() => parseJson(text, maxDigits))
  return json === undefined || isDeeper(json, maxDepth) ? text : json
}

const asIs: JsonRewrite = { leaf: (value) => value, key: (key) => key, judgeKey: () => false }

// So many characters beyond the cut are rewritten too: a secret that lies across the cut must be seen whole.
const lookahead = 65_536

/** Cuts a text to about `limit` characters and adds its size. Give `size`, in bytes, if it was cut before. */
export function cutText(text: string, limit: number, size: number = Buffer.byteLength(text)): string {
  return `${takeStart(text, limit)}… [cut: ${formatBytes(Math.min(limit, size))} of ${formatBytes(size)} shown]`
}

/** Serialises our own data to valid JSON, whatever its shape; `undefined` becomes `null`. See `copyJson`. */
export function stringifySafely(value: unknown, indent?: number): string {
  return stringifyJson(isSafeJson(value) ? value : copyJson(value, {}), indent)
}

/** True if `copyJson` would return the value unchanged. */
export function isSafeJson(value: unknown, maxBytes: number = Infinity): value is Json {
  return subtractSize(value as Json | undefined, maxDepth, maxBytes) >= 0
}

/** The rest of `left` bytes after a value; negative if it does not fit, is too deep or is not plain JSON. */
function subtractSize(value: Json | undefined, levels: number, left: number): number {
  if (typeof value === 'string') return value.isWellFormed() ? left - value.length - 3 : -1
  if (value === undefined || (typeof value === 'number' && !Number.isFinite(value))) return -1
  if (typeof value !== 'object' || value === null) return left - String(value).length - 1
  if (levels === 0) return -1
  let rest = left - 2
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && rest >= 0; index += 1)
      rest = subtractSize(value[index], levels - 1, rest)
    return rest
  }
  for (const key of Object.keys(value)) {
    const part = value[key]
    if (part === undefined) continue
    if (rest < 0 || !key.isWellFormed()) return -1
    rest = subtractSize(part, levels - 1, rest - key.length - 3)
  }
  return rest
}

/** Copies data to valid JSON of at most 500 levels and about `maxBytes` bytes; markers say what was cut. */
export function copyJson(
  root: unknown,
  {
    rewrite = asIs,
    maxBytes = Infinity,
    secret = false,
  }: { rewrite?: JsonRewrite; maxBytes?: number; secret?: Secrecy },
): Json {
  return copy(root, secret, { rewrite, maxBytes, left: maxBytes, depth: 0 })
}

type Copying = { rewrite: JsonRewrite; maxBytes: number; left: number; depth: number }

function copy(value: unknown, secret: Secrecy, copying: Copying): Json {
  if (typeof value !== 'object' || value === null)
    return copyLeaf(value as JsonLeaf | undefined, secret, copying)
  if (copying.depth >= maxDepth) return `[cut: nested deeper than ${maxDepth} levels]`
  copying.depth += 1
  copying.left -= 2
  const copied = Array.isArray(value)
    ? copyItems(value, secret, copying)
    : copyMembers(value as JsonObject, secret, copying)
  copying.depth -= 1
  return copied
}

function copyItems(items: unknown[], secret: Secrecy, copying: Copying): Json[] {
  const copied: Json[] = []
  const inner = ofItems(secret)
  for (const item of items) {
    if (copying.left <= 0) {
      const rest = items.length - copied.length
      return [...copied, `[cut: ${rest} more items (${formatBytes(copying.maxBytes)} shown)]`]
    }
    copied.push(copy(item, inner, copying))
  }
  return copied
}

function copyMembers(members: JsonObject, secret: Secrecy, copying: Copying): JsonObject {
  const { rewrite, maxBytes } = copying
  const copied: JsonObject = {}
  const keys = Object.keys(members).filter((key) => members[key] !== undefined)
  for (const [done, key] of keys.entries()) {
    if (copying.left <= 0) {
      defineKey(copied, '[cut]', `${keys.length - done} more keys (${formatBytes(maxBytes)} shown)`)
      return copied
    }
    copying.left -= key.length + 3
    const shown = rewrite.key(key.length > lookahead ? cutText(key, 1024) : key).toWellFormed()
    defineKey(copied, shown, copy(members[key], rewrite.judgeKey(key, secret, members), copying))
  }
  return copied
}

function copyLeaf(value: JsonLeaf = null, secret: Secrecy, copying: Copying): Json {
  const { rewrite, left } = copying
  const plain = typeof value === 'number' && !Number.isFinite(value) ? String(value) : value
  if (typeof plain !== 'string') {
    copying.left -= String(plain).length + 1
    return rewrite.leaf(plain, secret)
  }
  const room = Math.max(left, 0)
  copying.left -= plain.length + 3
  const near = plain.slice(0, room + lookahead)
  const shown = rewrite.leaf(near.toWellFormed(), secret)
  const fits = typeof shown !== 'string' || shown.length <= room
  return fits && near === plain ? shown : cutText(String(shown), room, Buffer.byteLength(plain))
}

/** Sets an own property, even `__proto__`. If the key is taken, a number is appended: `key (2)`. */
export function defineKey(target: JsonObject, key: string, value: Json): void {
  let free = key
  for (let count = 2; Object.hasOwn(target, free); count += 1) free = `${key} (${count})`
  // Assignment is many times faster, and on a plain object only `__proto__` is special.
  if (free !== '__proto__') target[free] = value
  else Object.defineProperty(target, free, { value, enumerable: true, configurable: true, writable: true })
}
