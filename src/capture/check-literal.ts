import { report, reportUnknown, type Reporting } from '../assertion/parse/report-problem.ts'
import { suggestName } from '../text/suggest.ts'
import { isJsonObject, type Json } from '../json.ts'
import type { NodePath } from '../problem.ts'
import { addedFields, captureRoots } from '../path/exchange-fields.ts'

const PATH_LIKE = new RegExp(`^(?:${[...captureRoots, ...addedFields].join('|')})[.[]`)

/** Reports a map or list that is taken literally although its author means a path: a misspelt key of settings, or texts that are paths. */
export function checkLiteral(
  reporting: Reporting,
  value: Json,
  { name, keys }: { name: string; keys: readonly string[] },
): void {
  const before = reporting.problems.length
  for (const key of isJsonObject(value) ? Object.keys(value) : []) {
    const meant = suggestName(key, keys)
    if (meant !== undefined)
      reportUnknown(reporting, [name, key], {
        message: `Unknown field \`${key}\` in capture \`${name}\`.`,
        hint: `Did you mean \`${meant}\`?`,
      })
  }
  if (reporting.problems.length === before) reportPaths(reporting, value, [name])
}

function reportPaths(reporting: Reporting, value: Json, at: NodePath): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, child] of Object.entries(value)) {
    const place = [...at, Array.isArray(value) ? Number(key) : key]
    if (typeof child === 'string' && PATH_LIKE.test(child))
      report(reporting, place, {
        code: 'bad-value',
        severity: 'doubt',
        message: `\`${child}\` would be captured as these characters: a map or list is taken literally, paths in it are not looked up.`,
        hint: 'One path gives several values: `body.{id: user.id, name: user.name}` or `[body.id, body.name]`, in quotes.',
      })
    else reportPaths(reporting, child, place)
  }
}
