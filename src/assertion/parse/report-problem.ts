import type { NodePath, ParsePlace } from '../../problem.ts'
import type { BadKey } from './assertion-tree.ts'

/** Records something unknown. */
export function reportUnknown(
  place: ParsePlace,
  path: NodePath,
  text: { message: string; hint: string },
): void {
  place.report(path, { code: 'unknown-field', ...text })
}

/** Reports a key that is neither a name nor a flat path. */
export function reportBadKey(place: ParsePlace, bad: BadKey): void {
  // A key of `assert` itself starts with `body` or `headers`: no answer has a field of that name.
  const isWhole = bad.at.length === 1
  place.report(bad.at, {
    code: 'bad-path',
    message: `\`${bad.key}\` is not a path: ${bad.problem}.`,
    hint: isWhole
      ? `Write a path like \`body.items[0].id\`.`
      : `Write a path like \`items[0].id\`, or \`field: {${JSON.stringify(bad.key)}: …}\` for a field with this very name.`,
  })
}
