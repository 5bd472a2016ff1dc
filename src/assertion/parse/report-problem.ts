import type { BadKey } from './assertion-tree.ts'
import type { ExchangeKind } from '../../path/exchange-fields.ts'
import type { NodePath, Problem } from '../../problem.ts'
import { suggestName } from '../../text/suggest.ts'

/** What a parser needs to report problems. */
export type Reporting = {
  problems: Problem[]
  /** With `compat`, unknown keys are warnings and are ignored. */
  options: {
    compat?: boolean
    /** What the step sends, if that decides on what its answer has. */
    kind?: ExchangeKind
  }
}

/** Records a problem at a path of the tree. */
export function report(
  { problems }: Pick<Reporting, 'problems'>,
  path: NodePath,
  problem: Omit<Problem, 'path'>,
): void {
  problems.push({ path: [...path], ...problem })
}

/** Records something unknown: an error, or with `compat` a warning that it is ignored. */
export function reportUnknown(
  { problems, options }: Reporting,
  path: NodePath,
  text: { message: string; hint: string },
): void {
  if (!options.compat) return report({ problems }, path, { code: 'unknown-field', ...text })
  const message = `${text.message} It is ignored.`
  problems.push({ path: [...path], code: 'ignored', message, hint: text.hint, severity: 'warning' })
}

/** True when a map has a misspelt form of a key: that it is missing is then said already. With `compat` it was ignored, and is missing. */
export function hasMisspelt(
  { options }: Pick<Reporting, 'options'>,
  map: object,
  { key, known }: { key: string; known: readonly string[] },
): boolean {
  if (options.compat) return false
  return Object.keys(map).some((name) => !known.includes(name) && suggestName(name, known) === key)
}

/** Records every key of a map that is not among the known ones, each with the nearest known key. */
export function reportUnknownKeys(
  reporting: Reporting,
  map: object,
  place: { at: NodePath; known: readonly string[]; owner: string },
): void {
  for (const key of Object.keys(map)) {
    if (place.known.includes(key)) continue
    const meant = suggestName(key, place.known)
    const hint = meant ? `Did you mean \`${meant}\`?` : `Known here: ${place.known.join(', ')}.`
    reportUnknown(reporting, [...place.at, key], {
      message: `Unknown field \`${key}\` in ${place.owner}.`,
      hint,
    })
  }
}

/** Reports a key that is neither a name nor a flat path. */
export function reportBadKey(state: Reporting, bad: BadKey): void {
  // A key of `assert` itself starts with `body` or `headers`: no answer has a field of that name.
  const isWhole = bad.at.length === 1
  report(state, bad.at, {
    code: 'bad-path',
    message: `\`${bad.key}\` is not a path: ${bad.problem}.`,
    hint: isWhole
      ? `Write a path like \`body.items[0].id\`.`
      : `Write a path like \`items[0].id\`, or \`field: {${JSON.stringify(bad.key)}: …}\` for a field with this very name.`,
  })
}
