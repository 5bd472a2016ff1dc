import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from './measure.ts'
import { writeSuite, writeTest } from './workload-texts.ts'

/** A temporary folder outside the repository, in which the packages can be imported by name. */
export type Project = { folder: string; remove(): Promise<void> }

/** Creates the folder. `suitecase` is the last build. */
export async function createProject(): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), 'suitecase-bench-'))
  const repository = fileURLToPath(new URL('..', import.meta.url))
  await mkdir(join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await symlink(repository, join(folder, 'node_modules/suitecase'))
  for (const name of ['vitest', 'undici', 'koa', 'msw', 'supertest'])
    await symlink(join(repository, 'node_modules', name), join(folder, 'node_modules', name))
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

const VITEST = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))

/** Files that Vitest runs. */
export type Files = {
  suites: number
  steps: number
  /** Tests written by hand instead of suites. */
  isByHand?: boolean
  /** The text of a file, by its number. Default: that of the usual workload. */
  text?: ((number: number, steps: number) => string) | undefined
  /** Options of the plugin or, for hand-written tests, of Vitest. */
  options?: object
  /** Text of an application, written next to them as `app.ts`. */
  app?: string | undefined
}

/** Creates a folder with suites or tests and a configuration. Resolves to the command that runs them. */
export async function writeFiles(cwd: string, url: string, files: Files): Promise<Command> {
  const {
    suites,
    steps,
    isByHand = false,
    text = isByHand ? writeTest : writeSuite,
    options = {},
    app,
  } = files
  // Hand-written tests get a configuration file too: reading any costs Vitest a tenth of a second.
  const config = `import { suites } from 'suitecase/plugin'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [suites({ variables: { base_url: process.env.BENCH_URL }, ...${JSON.stringify(options)} })],
})
`
  const plain = `import { defineConfig } from 'vitest/config'

export default defineConfig({ test: ${JSON.stringify(options)} })
`
  await mkdir(cwd, { recursive: true })
  // Vitest keeps its caches in the nearest package.
  await writeFile(join(cwd, 'package.json'), '{ "type": "module" }')
  await writeFile(join(cwd, 'vitest.config.ts'), isByHand ? plain : config)
  if (app !== undefined) await writeFile(join(cwd, 'app.ts'), app)
  const ending = isByHand ? '.test.ts' : '.suite.yaml'
  for (let number = 1; number <= suites; number += 1)
    await writeFile(join(cwd, `flow-${String(number).padStart(4, '0')}${ending}`), text(number, steps))
  return { args: [VITEST, 'run'], cwd, env: { BENCH_URL: url }, passes: suites * steps }
}
