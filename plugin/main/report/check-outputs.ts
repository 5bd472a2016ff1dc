import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseJson } from '../../../src/json.ts'
import { createLeakFinder } from '../../../src/secrets/find-leaks.ts'

/** Places of one secret that are told; the rest are counted. */
const mostTold = 3

/** Scans written report files for known secrets. Names each that is found once, with the places where it is, and never shows it. */
export async function checkOutputs(
  directory: string,
  files: readonly string[],
  { secrets, nameOf }: { secrets: Iterable<string>; nameOf: (secret: string) => string | undefined },
): Promise<string[]> {
  const values = [...new Set(secrets)]
  if (values.length === 0) return []
  const finder = createLeakFinder(values)
  const places = new Map<string, string[]>()
  for (const file of files) {
    const text = await readFile(join(directory, file), 'utf8')
    if (!finder.isIn(text)) continue
    // Values only: a secret that reads like one of our field names does not leak through the field's name.
    for (const { path: field, secret } of finder.findInJson(parseJson(text)))
      places.set(secret, [...(places.get(secret) ?? []), `${file}: ${field}`])
  }
  return [...places].map(([secret, found]) => {
    const name = nameOf(secret)
    const rest = found.length - mostTold
    const more = rest > 0 ? ` and ${rest} more ${rest === 1 ? 'place' : 'places'}` : ''
    const what = name === undefined ? 'A secret' : `The secret \`${name}\``
    return `${what} is in the reports, in ${found.slice(0, mostTold).join(', ')}${more}.`
  })
}
