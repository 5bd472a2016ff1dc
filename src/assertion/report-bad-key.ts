import type { BadKey } from './assertion-tree.ts'
import { report, type Reporting } from './report-problem.ts'

/** Reports a key that is neither a name nor a flat path. */
export function reportBadKey(state: Reporting, bad: BadKey): void {
  const all = bad.key.includes('[*]') ? 'Use `each` for all elements of a list. ' : ''
  // A key of `assert` itself starts with `body` or `headers`: no answer has a field of that name.
  const isWhole = bad.at.length === 1
  report(state, bad.at, {
    code: 'bad-path',
    message: `\`${bad.key}\` is no path: ${bad.problem}.`,
    hint: isWhole
      ? `${all}Write a path like \`body.items[0].id\`.`
      : `${all}Write a path like \`items[0].id\`, or \`field: {${JSON.stringify(bad.key)}: …}\` for a field with this very name.`,
  })
}
