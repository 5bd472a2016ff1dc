import type { PageIndex } from '../page-index.ts'
import { stringifySafely } from '../safe-json.ts'
import { readLines } from './read-lines.ts'

/** Where the data goes in the page's template. */
export const dataMark = '<!--data-->'

export type PageSource = {
  /** The built page, with `dataMark` in it. */
  template: string
  index: PageIndex
  /** Paths of the suites' result files, in the order of the index. */
  suiteFiles: readonly string[]
}

/**
 * Serialises the page piece by piece. Suites become data blocks of JSON lines: one per step, then
 * the suite without its steps, so that the page parses only what it shows. Nothing in them can end the block or run.
 */
export async function* serialisePage({ template, index, suiteFiles }: PageSource): AsyncGenerator<string> {
  const at = template.indexOf(dataMark)
  if (at === -1)
    throw new Error(`The page's template has no \`${dataMark}\`; build it anew with \`npm run build\`.`)
  yield template.slice(0, at)
  yield `<script type="application/json" id="index">${escapeForScript(stringifySafely(index))}</script>\n`
  for (const [number, path] of suiteFiles.entries()) {
    yield `<script type="application/json" id="suite-${number}">`
    yield* readSuiteLines(path)
    yield '</script>\n'
  }
  yield template.slice(at + dataMark.length)
}

/** Makes JSON harmless inside a script element: `<` cannot start a tag, U+2028/9 cannot end a line of script. */
export function escapeForScript(json: string): string {
  return json.replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}

/** Reads a result file as `serialiseSuite` wrote it: steps are the objects indented by four spaces. */
async function* readSuiteLines(path: string): AsyncGenerator<string> {
  let suite = ''
  let step = ''
  let inSteps = false
  for await (const line of readLines(path)) {
    if (!inSteps) {
      inSteps = line === '  "steps_results": ['
      if (!inSteps) suite += escapeForScript(line.trimStart())
    } else if (line === '  ],') inSteps = false
    else if (line === '    }' || line === '    },') {
      yield `${step}}\n`
      step = ''
    } else step += escapeForScript(line.trimStart())
  }
  yield suite
}
