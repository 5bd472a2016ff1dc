import { addMapping, GenMapping, setSourceContent, toEncodedMap } from '@jridgewell/gen-mapping'
import type { Position } from '../../../src/source.ts'
import type { LoadedSuite } from '../../contract/linking/suite-lookup.ts'
import { listBlocks, type NameOptions } from '../../contract/name-tests.ts'
import { writeImports } from './link-typed.ts'

const MISPLACED =
  'A project other than that of suites() ran this suite file as a test file, but it cannot send anything. Exclude suite files from its option `include`.'

/**
 * The module that stands for a suite where Vitest reads test files without running them, as in `vitest list`. It has
 * the blocks and tests at their lines, and imports what the suite depends on: other suites, data, the application. Its
 * tests fail: no project should run it. All paths are absolute.
 */
export function createCollectModule(
  path: string,
  { plan, source }: LoadedSuite,
  { imports, options }: { imports: readonly string[]; options: NameOptions },
) {
  const map = new GenMapping({ file: path })
  setSourceContent(map, path, source.text)
  const lines = [
    "import { describe, test } from 'vitest'",
    `const run = () => { throw new Error(${JSON.stringify(MISPLACED)}) }`,
    ...writeImports(path, imports),
  ]
  const emit = (text: string, at: Position): void => {
    lines.push(text)
    const generated = { line: lines.length, column: text.search(/\S/) }
    addMapping(map, { generated, source: path, original: { line: at[0], column: at[1] - 1 } })
  }
  const tags = JSON.stringify(plan.tags)
  for (const { name, tests } of listBlocks(plan, options)) {
    emit(`describe(${quote(name)}, { tags: ${tags} }, () => {`, plan.at)
    for (const { name, step } of tests) {
      // Keys are not quoted: static collection would not read them.
      const flags = `{ only: ${step.only}, todo: ${step.todo}, tags: ${JSON.stringify(step.tags)} }`
      emit(`  test(${quote(name)}, ${flags}, run)`, step.at)
    }
    emit('})', plan.at)
  }
  return { code: `${lines.join('\n')}\n`, map: toEncodedMap(map) }
}

/** A text as a literal. Static collection shows what is between the quotes, so escapes are avoided if possible. */
function quote(text: string): string {
  const json = JSON.stringify(text)
  const mark = ['"', "'", '`'].find((each) => !text.includes(each) && (each !== '`' || !text.includes('${')))
  const isPlain = !text.includes('\\') && json.replaceAll('\\"', '"').length === text.length + 2
  return isPlain && mark !== undefined ? mark + text + mark : json
}
