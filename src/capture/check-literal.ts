import { suggestName } from '../text/suggest.ts'
import { isJsonObject, type Json } from '../json.ts'
import type { NodePath, ParsePlace } from '../problem.ts'
import { addedFields, captureRoots } from '../path/exchange-fields.ts'

const PATH_LIKE = new RegExp(`^(?:${[...captureRoots, ...addedFields].join('|')})[.[]`)

/** Reports a map or list that is taken literally although its author means a path: a misspelt key of settings, or texts that are paths. */
export function checkLiteral(
  value: Json,
  { name, keys, place }: { name: string; keys: readonly string[]; place: ParsePlace },
): void {
  const misspelt = (isJsonObject(value) ? Object.keys(value) : []).flatMap((key) => {
    const meant = suggestName(key, keys)
    return meant === undefined ? [] : [{ key, meant }]
  })
  for (const { key, meant } of misspelt)
    place.report([key], {
      code: 'unknown-field',
      severity: 'doubt',
      message: `Unknown field \`${key}\` in capture \`${name}\`.`,
      hint: `Did you mean \`${meant}\`?`,
    })
  if (misspelt.length === 0) reportPaths(place, value, [])
}

function reportPaths(place: ParsePlace, value: Json, at: NodePath): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, child] of Object.entries(value)) {
    const path = [...at, Array.isArray(value) ? Number(key) : key]
    if (typeof child === 'string' && PATH_LIKE.test(child))
      place.report(path, {
        code: 'bad-value',
        severity: 'doubt',
        message: `\`${child}\` would be captured as these characters: a map or list is taken literally, paths in it are not looked up.`,
        hint: 'One path gives several values: `body.{id: user.id, name: user.name}` or `[body.id, body.name]`, in quotes.',
      })
    else reportPaths(place, child, path)
  }
}
