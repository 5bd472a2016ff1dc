import { mkdir, mkdtempDisposable, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from './measure.ts'
import { usual, writeSuite, writeTest, type Plan } from './texts.ts'

/** Creates a temporary folder outside the repository, in which the packages can be imported by name. `suitecase` is the last build. */
export async function createProject(): Promise<{ path: string } & AsyncDisposable> {
  const folder = await mkdtempDisposable(join(tmpdir(), 'suitecase-bench-'))
  const repository = fileURLToPath(new URL('..', import.meta.url))
  await mkdir(join(folder.path, 'node_modules'))
  await symlink(repository, join(folder.path, 'node_modules/suitecase'))
  for (const name of ['vitest', 'undici'])
    await symlink(join(repository, 'node_modules', name), join(folder.path, 'node_modules', name))
  return folder
}

const VITEST = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))

/** The suites or hand-written tests of a run. */
export type Files = {
  suites: number
  steps: number
  plan?: Plan
  isByHand?: boolean
  /** Writes the text of a file, given its number. Used instead of `plan`. */
  text?: (number: number) => string
  /** Options of the plugin or, for hand-written tests, of Vitest. */
  options?: object
}

/** Creates a folder with suites or tests and a configuration. Resolves to the command that runs them. */
export async function writeFiles(cwd: string, url: string, files: Files): Promise<Command> {
  const { suites, steps, plan = usual, isByHand = false, options = {} } = files
  const text = files.text ?? ((number) => (isByHand ? writeTest : writeSuite)(plan, number, steps))
  // Hand-written tests get a configuration file too: reading any costs Vitest a tenth of a second.
  const config = isByHand
    ? `test: ${JSON.stringify(options)}`
    : `plugins: [suites({ variables: { base_url: process.env.BENCH_URL }, ...${JSON.stringify(options)} })]`
  const imports = isByHand ? '' : "import { suites } from 'suitecase/plugin'\n"
  const write = (name: string, content: string): Promise<void> => writeFile(join(cwd, name), content)
  await mkdir(cwd, { recursive: true })
  // Vitest keeps its caches in the nearest package.
  await write('package.json', '{ "type": "module" }')
  await write(
    'vitest.config.ts',
    `${imports}import { defineConfig } from 'vitest/config'\n\nexport default defineConfig({ ${config} })\n`,
  )
  const ending = isByHand ? '.test.ts' : '.suite.yaml'
  for (let number = 1; number <= suites; number += 1)
    await write(`flow-${String(number).padStart(4, '0')}${ending}`, text(number))
  return { args: [VITEST, 'run'], cwd, env: { BENCH_URL: url }, passes: suites * steps }
}
