/** Finds many texts in one pass. Texts can be added at any time. */
export type TextMatcher = {
  /** Texts shorter than 4 UTF-16 units are ignored. */
  add(text: string): void
  has(text: string): boolean
  /** Start and end offsets of all places where a text occurs, in order, overlapping places joined: `[s1, e1, s2, e2 …]`. */
  find(text: string): number[]
}

const prefix = 4
/** How many characters lie between two looks: of a prefix so many pairs are in the table. */
const stride = prefix - 1

/** Creates a matcher that looks up every third pair of characters in a table, and only where that hits at the texts themselves. */
export function createTextMatcher(): TextMatcher {
  const pairs = new Uint8Array(65_536)
  const lengthsByPrefix = new Map<string, number[]>()
  const texts = new Set<string>()

  function add(text: string): void {
    if (text.length < prefix || texts.has(text)) return
    texts.add(text)
    // Wherever a text stands, one of its first three pairs is looked up.
    for (let at = 0; at < stride; at += 1) pairs[hashPair(text.charCodeAt(at), text.charCodeAt(at + 1))] = 1
    const key = text.slice(0, prefix)
    const lengths = lengthsByPrefix.get(key) ?? []
    // Longest first, so that the first hit at a place is the one that hides most.
    if (!lengths.includes(text.length)) lengths.push(text.length)
    lengthsByPrefix.set(
      key,
      lengths.sort((a, b) => b - a),
    )
  }

  function longestAt(text: string, at: number): number {
    const lengths = lengthsByPrefix.get(text.slice(at, at + prefix)) ?? []
    return lengths.find((length) => texts.has(text.slice(at, at + length))) ?? 0
  }

  function find(text: string): number[] {
    const places: number[] = []
    if (texts.size === 0) return places
    const last = text.length - 1
    for (let pair = stride - 1; pair < last; pair += stride) {
      if (pairs[hashPair(text.charCodeAt(pair), text.charCodeAt(pair + 1))] === 0) continue
      for (let at = pair - stride + 1; at <= pair; at += 1) {
        const length = longestAt(text, at)
        if (length > 0) joinPlace(places, at, at + length)
      }
    }
    return places
  }

  return { add, find, has: (text) => texts.has(text) }
}

function hashPair(first: number, second: number): number {
  return (first * 257 + second) & 65_535
}

function joinPlace(places: number[], start: number, end: number): void {
  const last = places.length - 1
  if (last > 0 && start <= (places[last] as number)) places[last] = Math.max(places[last] as number, end)
  else places.push(start, end)
}
