import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseJson } from '../../../src/json.ts'
import { readPieces } from '../../../src/report/files/read-pieces.ts'
import { createLeakFinder, type LeakFinder } from '../../../src/secrets/find-leaks.ts'

/** Scans written report files for known secrets and names file and field of each that is found, never the secret. */
export async function checkOutputs(
  directory: string,
  files: readonly string[],
  secrets: Iterable<string>,
): Promise<string[]> {
  const values = [...secrets]
  if (values.length === 0) return []
  const finder = createLeakFinder(values)
  const found: string[] = []
  for (const file of files) {
    const path = join(directory, file)
    if (!(await mentions(path, finder))) continue
    for (const field of listFields(await readFile(path, 'utf8'), finder)) found.push(`${file}: ${field}`)
  }
  return found
}

/** Cheap look at whole lines: serialised JSON has no line feed inside a value, so no secret is split. */
async function mentions(path: string, finder: LeakFinder): Promise<boolean> {
  for await (const piece of readPieces(path)) if (finder.findInText(piece).length > 0) return true
  return false
}

/** Looks at values only: a secret that reads like one of our field names does not leak through the field's name. */
function listFields(text: string, finder: LeakFinder): string[] {
  if (!text.startsWith('<')) return finder.findInJson(parseJson(text))
  const scripts = [...text.matchAll(/<script type="application\/json" id="([^"]*)">(.*?)<\/script>/gs)]
  return scripts.flatMap(([, id, json]) =>
    (json as string)
      .split('\n')
      .flatMap((line) => finder.findInJson(parseJson(line)).map((field) => `${id} ${field}`)),
  )
}
