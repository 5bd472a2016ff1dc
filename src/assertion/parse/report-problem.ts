import type { BadKey } from './assertion-tree.ts'
import type { ExchangeKind } from '../../path/exchange-fields.ts'
import type { NodePath, Problem } from '../../problem.ts'

/** What a parser needs to report problems. */
export type Reporting = {
  problems: Problem[]
  options: {
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

/** Records something unknown. */
export function reportUnknown(
  state: Pick<Reporting, 'problems'>,
  path: NodePath,
  text: { message: string; hint: string },
): void {
  report(state, path, { code: 'unknown-field', ...text })
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
