import { suggestName } from '../assertion/suggest-name.ts'

/**
 * The known name an author probably meant: one that is spelt nearly so, one with two letters swapped (`nmae`), or the only one
 * that has the name as a part (`attempts` for `max_attempts`).
 */
export function suggestField(name: string, known: readonly string[]): string | undefined {
  const nearest = suggestName(name, known) ?? known.find((field) => isSwapped(name, field))
  if (nearest !== undefined || name.length < 4) return nearest
  const longer = known.filter((field) => field.includes(name.toLowerCase()))
  return longer.length === 1 ? longer[0] : undefined
}

function isSwapped(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  let at = 0
  while (at < a.length && a[at] === b[at]) at += 1
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2)
}
