import { report, reportUnknownKeys, type Reporting } from '../assertion/parse/report-problem.ts'
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
): boolean {
  const before = reporting.problems.length
  if (isJsonObject(value)) {
    const misspelt = Object.keys(value).filter((key) => suggestName(key, keys) !== undefined)
    const map = Object.fromEntries(misspelt.map((key) => [key, null]))
    reportUnknownKeys(reporting, map, { at: [name], known: keys, owner: `capture \`${name}\`` })
  }
  if (reporting.problems.length === before) reportPaths(reporting, value, [name])
  return reporting.problems.length === before
}

function reportPaths(reporting: Reporting, value: Json, at: NodePath): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, child] of Object.entries(value)) {
    const place = [...at, Array.isArray(value) ? Number(key) : key]
    if (typeof child === 'string' && PATH_LIKE.test(child))
      report(reporting, place, {
        code: 'bad-value',
        message: `\`${child}\` would be captured as these characters: a map or list is taken literally, paths in it are not looked up.`,
        hint: 'One path gives several values: `body.{id: user.id, name: user.name}` or `[body.id, body.name]`, in quotes.',
      })
    else reportPaths(reporting, child, place)
  }
}
