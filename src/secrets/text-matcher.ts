import { findAtMost } from '../source.ts'

const shortest = 4

/** The most characters between two lookups in a text. */
const longestStride = 11

/** Slots of a table for each text: with fewer, most lookups hit by chance. */
const slotsPerText = 32
const fewestSlots = 1 << 10
const mostSlots = 1 << 22

/** A place in a text, as offsets. */
export type Hit = [start: number, end: number]

/** Creates a matcher that finds many texts, and their beginnings, in one pass. Texts can be added at any time. */
export function createTextMatcher() {
  const texts = new Set<string>()
  /** The texts by their heads, sorted. */
  const byHead = new Map<string, { texts: string[]; longest: number }>()
  const headLengths: number[] = []
  let stride = longestStride
  /** One bit per hash of a pair, so that the table stays in the processor's cache. */
  const pairs = new Uint8Array(65_536 / 8)
  /** The lengths of heads, by their first four characters. */
  let quads = new Uint8Array(fewestSlots)

  /** Adds a text of at least 4 UTF-16 units. It is also found where only its first `head` units occur. */
  function add(text: string, head: number = text.length): void {
    if (text.length < shortest || texts.has(text)) return
    texts.add(text)
    const key = text.slice(0, Math.max(head, shortest))
    if (!headLengths.includes(key.length)) headLengths.push(key.length)
    const begun = byHead.get(key) ?? { texts: [], longest: 0 }
    begun.texts.splice(findAtMost(begun.texts, text) + 1, 0, text)
    begun.longest = Math.max(begun.longest, text.length)
    byHead.set(key, begun)
    stride = Math.min(stride, key.length - 1)
    notePairs(key)
    noteQuad(key)
    if (byHead.size * slotsPerText <= quads.length || quads.length >= mostSlots) return
    quads = new Uint8Array(quads.length * 4)
    for (const known of byHead.keys()) noteQuad(known)
  }

  function notePairs(head: string): void {
    // Wherever a head occurs, one of its first pairs is looked up, because strides only ever get shorter.
    for (let at = 0; at < Math.min(longestStride, head.length - 1); at += 1) {
      const hash = hashPair(head, at)
      pairs[hash >> 3] = (pairs[hash >> 3] as number) | (1 << (hash & 7))
    }
  }

  function noteQuad(head: string): void {
    const slot = hashQuad(head, 0) & (quads.length - 1)
    quads[slot] = (quads[slot] as number) | markLength(head.length)
  }

  /** The end of the longest text that occurs or begins at `at`, by heads of the marked lengths; 0 if none. */
  function findEnd(text: string, at: number, marks: number): number {
    let end = 0
    for (const length of headLengths) {
      if ((marks & markLength(length)) === 0) continue
      const begun = byHead.get(text.slice(at, at + length))
      if (begun) end = Math.max(end, at + measureCommon(begun.texts, text.slice(at, at + begun.longest)))
    }
    return end
  }

  /** All places where a text occurs or begins, overlaps joined. */
  function find(text: string): Hit[] {
    const places: Hit[] = []
    const last = text.length - 1
    const slots = quads.length - 1
    for (let pair = stride - 1; pair < last; pair += stride) {
      const hash = hashPair(text, pair)
      if (((pairs[hash >> 3] as number) & (1 << (hash & 7))) === 0) continue
      for (let at = pair - stride + 1; at <= pair; at += 1) {
        const marks = quads[hashQuad(text, at) & slots] as number
        const end = marks === 0 ? 0 : findEnd(text, at, marks)
        if (end > 0) joinPlace(places, at, end)
      }
    }
    return places
  }

  return { add, find }
}

/** The bit for heads of a length. Most heads have 9 to 16 characters. */
function markLength(length: number): number {
  return 1 << (length & 7)
}

/** The length of the longest prefix that a text shares with one of the sorted texts. */
function measureCommon(sorted: readonly string[], text: string): number {
  const place = findAtMost(sorted, text)
  return Math.max(countCommon(sorted[place] ?? '', text), countCommon(sorted[place + 1] ?? '', text))
}

function countCommon(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  let at = 0
  while (at < length && one.charCodeAt(at) === other.charCodeAt(at)) at += 1
  return at
}

function hashPair(text: string, at: number): number {
  return (text.charCodeAt(at) * 257 + text.charCodeAt(at + 1)) & 65_535
}

function hashQuad(text: string, at: number): number {
  return Math.imul(Math.imul(hashPair(text, at), 65_599) + hashPair(text, at + 2), 40_503) >>> 6
}

/** Adds a place to sorted places. If it touches the last one, joins the two. */
export function joinPlace(places: Hit[], start: number, end: number): void {
  const last = places.at(-1)
  if (last && start <= last[1]) last[1] = Math.max(last[1], end)
  else places.push([start, end])
}
