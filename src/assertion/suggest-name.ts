import leven from 'leven'

const MAX_CANDIDATES = 1000
const MAX_LENGTH = 60

/** The known name nearest to a misspelt one; undefined when none is near. Letter case, `_` and `-` hardly count. */
export function suggestName(name: string, known: readonly string[]): string | undefined {
  const plain = plainName(name)
  if (plain === '' || name.length > MAX_LENGTH) return undefined
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(plain.length / 3)) + 1
  // Bounded: the known names may be the keys of a hostile answer.
  for (const candidate of known.slice(0, MAX_CANDIDATES)) {
    if (candidate === name || candidate.length > MAX_LENGTH) continue
    const distance = leven(plain, plainName(candidate), { maxDistance: bestDistance })
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance]
  }
  return best
}

/** A ready clause ` (did you mean …?)`, empty when no known name is near. */
export function didYouMean(name: string, known: readonly string[]): string {
  const nearest = suggestName(name, known)
  return nearest === undefined ? '' : ` (did you mean \`${nearest}\`?)`
}

/** Lower-case without `_` and `-`: the form in which two spellings of one name agree. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '')
}
