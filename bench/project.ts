import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A temporary folder outside the repository, in which the packages can be imported by their names. */
export type Project = { folder: string; remove(): Promise<void> }

/** Creates the folder; `suitecase` is what was built last. */
export async function createProject(): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), 'suitecase-bench-'))
  const repository = fileURLToPath(new URL('..', import.meta.url))
  await mkdir(join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await symlink(repository, join(folder, 'node_modules/suitecase'))
  for (const name of ['vitest', 'undici'])
    await symlink(join(repository, 'node_modules', name), join(folder, 'node_modules', name))
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** Path of the `vitest` command. */
export const VITEST = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))

/** Writes `count` numbered files into a folder, which is created. */
export async function writeFiles(
  folder: string,
  { count, ending, text }: { count: number; ending: string; text: (number: number) => string },
): Promise<void> {
  await mkdir(folder, { recursive: true })
  // Vitest keeps its caches at the nearest package.
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  for (let number = 1; number <= count; number += 1)
    await writeFile(join(folder, `flow-${String(number).padStart(4, '0')}${ending}`), text(number))
}

/** Text of a Vitest configuration with the plugin; options are written as given. */
export function writeSuiteConfig(options: object): string {
  return `import { suites } from 'suitecase/plugin'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [suites({ variables: { base_url: process.env.BENCH_URL }, ...${JSON.stringify(options)} })],
})
`
}

/** Text of a Vitest configuration for hand-written tests. */
export function writeTestConfig(options: object): string {
  return `import { defineConfig } from 'vitest/config'

export default defineConfig({ test: ${JSON.stringify(options)} })
`
}
