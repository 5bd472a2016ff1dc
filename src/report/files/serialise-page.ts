import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import { stringifySafely } from '../../safe-json.ts'
import type { PageIndex } from '../performance/compute-performance.ts'

/** Marks the place for the data in the page's template. */
export const dataMark = '<!--data-->'

// Path of the built page, relative to this file or to the bundle in the package.
const place = `${import.meta.url.endsWith('.ts') ? '../../../dist' : '..'}/src/report/page/page.html`

/** Serialises the page piece by piece. Each suite becomes a data block, parsed when shown; nothing in it can end the block or be executed. `suiteFiles` are paths of result files, in the order of the index. */
export function* serialisePage(index: PageIndex, suiteFiles: readonly string[]): Generator<string> {
  const [start = '', end = ''] = readFileSync(new URL(place, import.meta.url), 'utf8').split(dataMark)
  yield start
  yield `<script type="application/json" id="index">${escapeForScript(stringifySafely(index))}</script>\n`
  for (const [number, path] of suiteFiles.entries()) {
    yield `<script type="application/json" id="suite-${number}">`
    // Drops the indentation: a line feed in serialised JSON is never part of a value.
    for (const piece of readPieces(path)) yield escapeForScript(piece.replaceAll(/\n */g, ''))
    yield '</script>\n'
  }
  yield end
}

/** Escapes JSON for a script element: `<` cannot start a tag, U+2028/9 cannot end a line of script. */
export function escapeForScript(json: string): string {
  return json.replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}

const size = 262_144

/** Reads a text file piece by piece, so that a large one is never in memory as a whole. Synchronous, because there are many small files, for which the thread pool costs more than reading. */
export function* readPieces(path: string): Generator<string> {
  const file = openSync(path, 'r')
  const decoder = new StringDecoder('utf8')
  const buffer = Buffer.allocUnsafeSlow(size)
  try {
    let length = 0
    while ((length = readSync(file, buffer)) > 0) yield decoder.write(buffer.subarray(0, length))
  } finally {
    closeSync(file)
  }
}
