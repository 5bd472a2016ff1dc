import type { Json, JsonObject } from '../json.ts'
import { cutText } from './cut-text.ts'
import { formatBytes } from '../text/format-bytes.ts'

export type JsonLeaf = null | boolean | number | bigint | string

/** Whether a value is secret; of `members` those are that do not only say whose they are. */
export type Secrecy = boolean | 'members'

/** What happens to the parts of a value; `judgeKey` tells how secret what stands under a key is, given how secret its holder is. */
export type JsonRewrite = {
  leaf: (value: JsonLeaf, secret: boolean) => JsonLeaf
  key: (key: string) => string
  judgeKey: (key: string, holder: Secrecy) => Secrecy
}

export type CopyOptions = {
  rewrite?: JsonRewrite
  /** Containers nested deeper are replaced by a marker. @default Infinity */
  maxDepth?: number
  /** About how many bytes of the value are kept; the rest is replaced by markers that count what is missing. @default Infinity */
  maxBytes?: number
}

type Container = Json[] | JsonObject
type Frame = {
  source: Container
  target: Container
  keys: string[] | undefined
  next: number
  secret: Secrecy
}

const asIs: JsonRewrite = { leaf: (value) => value, key: (key) => key, judgeKey: () => false }

// Strings are rewritten with this much text behind the cut, so that a secret across the cut is seen whole.
const lookahead = 65_536

/**
 * Copies any value to valid JSON without recursion, in document order: bounded in depth and size, well-formed strings, own keys
 * only (`__proto__` included). What JSON cannot carry becomes text; a cycle becomes a marker.
 */
export function copyJson(
  root: unknown,
  { rewrite = asIs, maxDepth = Infinity, maxBytes = Infinity }: CopyOptions,
): Json {
  const frames: Frame[] = []
  const ancestors = new Set<unknown>()
  let left = maxBytes

  function copy(value: unknown, secret: Secrecy): Json {
    if (typeof value !== 'object' || value === null || value instanceof Date)
      return copyLeaf(value, secret !== false)
    if (ancestors.has(value)) return '[cut: refers to itself]'
    if (frames.length >= maxDepth) return `[cut: nested deeper than ${maxDepth} levels]`
    const keys = Array.isArray(value) ? undefined : Object.keys(value).filter((key) => hasJson(value, key))
    const target: Container = keys ? {} : []
    frames.push({ source: value as Container, target, keys, next: 0, secret })
    ancestors.add(value)
    left -= 2
    return target
  }

  function copyLeaf(value: unknown, secret: boolean): Json {
    const plain = toPlainLeaf(value)
    if (typeof plain !== 'string') {
      left -= 5
      return rewrite.leaf(plain, secret)
    }
    const size = plain.length
    const near = size > left + lookahead ? plain.slice(0, left + lookahead) : plain
    const shown = rewrite.leaf(near.toWellFormed(), secret)
    const fits = typeof shown !== 'string' || shown.length <= Math.max(left, 0)
    left -= size
    // `left + size` is what was left before this string.
    return fits && near === plain
      ? shown
      : cutText(String(shown), Math.max(left + size, 0), Buffer.byteLength(plain))
  }

  function step(frame: Frame): void {
    const { source, target, keys, next } = frame
    frame.next += 1
    if (left <= 0) return closeEarly(frame)
    if (!keys) {
      ;(target as Json[]).push(copy((source as Json[])[next], frame.secret))
      return
    }
    const key = keys[next] as string
    left -= key.length + 3
    const shown = rewrite.key(key.length > lookahead ? cutText(key, 1024) : key).toWellFormed()
    defineKey(
      target as JsonObject,
      shown,
      copy((source as JsonObject)[key], rewrite.judgeKey(key, frame.secret)),
    )
  }

  function closeEarly(frame: Frame): void {
    const missing = sizeOf(frame) - frame.next + 1
    frame.next = Infinity
    const limit = `${formatBytes(maxBytes)} shown`
    if (frame.keys) defineKey(frame.target as JsonObject, '[cut]', `${missing} more keys (${limit})`)
    else (frame.target as Json[]).push(`[cut: ${missing} more items (${limit})]`)
  }

  const result = copy(root, false)
  for (let frame = frames.at(-1); frame; frame = frames.at(-1)) {
    if (frame.next < sizeOf(frame)) step(frame)
    else {
      frames.pop()
      ancestors.delete(frame.source)
    }
  }
  return result
}

function sizeOf(frame: Frame): number {
  return frame.keys ? frame.keys.length : (frame.source as Json[]).length
}

function hasJson(object: object, key: string): boolean {
  const value: unknown = (object as JsonObject)[key]
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol'
}

function toPlainLeaf(value: unknown): JsonLeaf {
  if (value === null || value === undefined) return null
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value === 'boolean' || typeof value === 'string' || typeof value === 'bigint') return value
  if (value instanceof Date && !Number.isNaN(value.valueOf())) return value.toISOString()
  return 'Invalid Date'
}

/** Sets an own property even for `__proto__`; a key that is already there gets a number behind it, so that nothing is lost. */
function defineKey(target: JsonObject, key: string, value: Json): void {
  let free = key
  for (let count = 2; Object.hasOwn(target, free); count += 1) free = `${key} (${count})`
  // Assignment is many times faster, and on a plain object only `__proto__` is more than a key.
  if (free !== '__proto__') target[free] = value
  else Object.defineProperty(target, free, { value, enumerable: true, configurable: true, writable: true })
}
