import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseJson } from '../../../src/json.ts'
import { readPieces } from '../../../src/report/files/read-pieces.ts'
import { createLeakFinder, type Leak, type LeakFinder } from '../../../src/secrets/find-leaks.ts'

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
    const path = join(directory, file)
    if (!(await mentions(path, finder))) continue
    for (const { path: field, secret } of listLeaks(await readFile(path, 'utf8'), finder))
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

/** Cheap look at whole lines: serialised JSON has no line feed inside a value, so no secret is split. */
async function mentions(path: string, finder: LeakFinder): Promise<boolean> {
  for await (const piece of readPieces(path)) if (finder.isIn(piece)) return true
  return false
}

/** Looks at values only: a secret that reads like one of our field names does not leak through the field's name. */
function listLeaks(text: string, finder: LeakFinder): Leak[] {
  if (!text.startsWith('<')) return finder.findInJson(parseJson(text))
  const scripts = [...text.matchAll(/<script type="application\/json" id="([^"]*)">(.*?)<\/script>/gs)]
  return scripts.flatMap(([, id, json]) =>
    (json as string)
      .split('\n')
      .flatMap((line) => finder.findInJson(parseJson(line)))
      .map(({ path, secret }) => ({ path: `${id} ${path}`, secret })),
  )
}
