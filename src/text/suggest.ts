import leven from 'leven'
import { foldText, listNames } from './show-value.ts'

const MAX_CANDIDATES = 1000
const MAX_LENGTH = 60

/** The known name nearest to a misspelt one, at most `most` edits away, by default a third of its letters. */
export function suggestName(name: string, known: readonly string[], most?: number): string | undefined {
  const plain = plainName(name)
  if (plain === '' || name.length > MAX_LENGTH) return undefined
  let best: string | undefined
  // A one-letter name with another letter is not a misspelling.
  let bestDistance = plain.length === 1 ? 1 : (most ?? Math.max(1, Math.floor(plain.length / 3))) + 1
  // Bounded, because the known names may be the keys of a hostile response.
  for (const candidate of known.slice(0, MAX_CANDIDATES)) {
    if (candidate === name || candidate.length > MAX_LENGTH) continue
    const other = plainName(candidate)
    if (other === '') continue
    const distance = isSwapped(plain, other) ? 1 : leven(plain, other, { maxDistance: bestDistance })
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance]
  }
  return best
}

/** The clause ` (did you mean …?)`, or nothing. `others` maps names that other tools use to our names. */
export function didYouMean(
  name: string,
  known: readonly string[],
  others: Readonly<Record<string, string>> = {},
): string {
  const nearest = Object.hasOwn(others, name) ? others[name] : suggestName(name, known)
  return nearest === undefined ? '' : ` (did you mean \`${listNames([nearest])}\`?)`
}

/** Reads a table of our names and the ones that other tools use for them, as a map of theirs to ours. */
export function readOtherNames(table: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(table).flatMap(([ours, others]) => others.split(' ').map((name) => [name, ours])),
  )
}

/** The known name that differs by one slip, but not a plural, another number, or one shorter than `least`. */
export function findTypo(name: string, known: readonly string[], least = 5): string | undefined {
  const plain = plainName(name)
  const isSame = (candidate: string): boolean => {
    if (foldText(candidate).trim() === foldText(name).trim()) return true
    const other = plainName(candidate)
    const [longer, shorter] = plain.length > other.length ? [plain, other] : [other, plain]
    const isPlural = longer === `${shorter}s` && !longer.endsWith('ss')
    const isNumbered = plain !== other && plain.replaceAll(/\d/g, '') === other.replaceAll(/\d/g, '')
    const isShort = plain.length < Math.min(least, 4) || (longer.length < least && !isSwapped(plain, other))
    return !(isPlural || isNumbered || isShort)
  }
  return suggestName(name, known.slice(0, MAX_CANDIDATES).filter(isSame), 1)
}

/** A name as it looks, in lower case without `_` and `-`. Names with the same plain form count as the same. */
export function plainName(name: string): string {
  return foldText(name).trim().replaceAll(/[_-]/g, '')
}

function isSwapped(a: string, b: string): boolean {
  let at = 0
  while (at < a.length && a[at] === b[at]) at += 1
  return at < a.length && a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2)
}

// Keys of a step that authors often write one level too deep or too high, mostly by wrong indentation.
const BESIDE_REQUEST = new Set('assert capture scenarios retry skip iterate mocks stream save'.split(' '))

/** Says where a misplaced step key belongs; undefined for any other key. */
export function hintBesideRequest(key: string): string | undefined {
  return BESIDE_REQUEST.has(key)
    ? `\`${key}\` belongs in a step, beside its \`request\`: indent it like \`request\`.`
    : undefined
}
