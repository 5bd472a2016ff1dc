import leven from 'leven'

const maxCandidates = 2000
const maxLength = 100

/** The candidate most like a name, if one is within a third of its length; none for an exact match. */
export function findNearest(name: string, candidates: readonly string[]): string | undefined {
  if (name.length > maxLength) return undefined
  let nearest: string | undefined
  let least = Math.max(2, Math.floor(name.length / 3)) + 1
  for (const candidate of candidates.slice(0, maxCandidates)) {
    if (candidate.length > maxLength || candidate === name) continue
    const distance = leven(name.toLowerCase(), candidate.toLowerCase(), { maxDistance: least })
    if (distance < least && distance < candidate.length) {
      least = distance
      nearest = candidate
    }
  }
  return nearest
}
