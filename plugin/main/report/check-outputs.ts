import { createReadStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseJson } from '../../../src/json.ts'
import type { LeakFinder } from '../../../src/secrets/find-leaks.ts'
import { countOf } from '../../../src/text/units.ts'

const mostTold = 3

/** Searches report files for known secrets. Returns a message for each, with its name and places only. */
export async function checkOutputs(
  directory: string,
  files: readonly string[],
  { finder, nameOf }: { finder: LeakFinder; nameOf: (secret: string) => string | undefined },
): Promise<string[]> {
  const places = new Map<string, string[]>()
  for (const file of files) {
    const path = join(directory, file)
    if (!(await mentions(path, finder))) continue
    // Only values: a secret that equals one of our field names does not leak through it.
    finder.replaceInJson(parseJson(readFileSync(path, 'utf8')), (text, field) => {
      const secret = finder.findSecret(text)
      places.set(secret, [...(places.get(secret) ?? []), `${file}: ${field}`])
      return text
    })
  }
  return [...places].map(([secret, found]) => {
    const name = nameOf(secret)
    const rest = found.length - mostTold
    const more = rest > 0 ? ` and ${countOf(rest, 'more place')}` : ''
    const what = name === undefined ? 'A secret' : `The secret \`${name}\``
    return `${what} is in the reports, in ${found.slice(0, mostTold).join(', ')}${more}.`
  })
}

/** Searches a file a few lines at a time, since reports may be large. No value of our JSON spans lines. */
async function mentions(path: string, finder: LeakFinder): Promise<boolean> {
  let rest = ''
  for await (const piece of createReadStream(path, 'utf8')) {
    const text = rest + String(piece)
    const end = text.lastIndexOf('\n') + 1
    if (finder.isIn(text.slice(0, end))) return true
    rest = text.slice(end)
  }
  return finder.isIn(rest)
}
