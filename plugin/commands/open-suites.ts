import { existsSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import type { Vitest } from 'vitest/node'
import { readMessage } from '../../src/errors.ts'
import type { SuiteProject } from '../main/setup/suite-project.ts'

/** The suites of the working directory, as its Vitest configuration describes them. */
export type OpenSuites = Awaited<ReturnType<typeof openSuites>>

/** Reads the configuration (`config`: its file, if it has another name) as `npx vitest` does, but runs nothing. Rejects if it lacks the plugin. */
export async function openSuites(config?: string) {
  if (config !== undefined && !existsSync(config)) throw new Error(`There is no file \`${config}\`.`)
  const { createVitest } = await import('vitest/node')
  const vitest: Vitest = await createVitest(
    'test',
    { watch: false, reporters: [{}], ...(config !== undefined && { config }) },
    { logLevel: 'error' },
    { stdout: process.stderr },
  ).catch((error: unknown) => {
    // Vite colours its own messages.
    throw new Error(stripVTControlCharacters(readMessage(error)), { cause: error })
  })
  const plugins = vitest.projects.flatMap(({ vite }) => vite.config.plugins)
  const found = plugins.filter(({ name }) => name === 'suitecase').map(({ api }) => api as SuiteProject)
  const projects = [...new Set(found.map(({ served }) => served))].flatMap(({ files, options }) =>
    files ? [{ files, options }] : [],
  )
  const close = async (): Promise<void> => {
    await vitest.close()
    for (const project of found) project.release()
  }
  if (projects.length > 0) return { vitest, projects, close }
  await vitest.close()
  throw new Error(
    config === undefined
      ? 'There is no Vitest configuration with the plugin here. Run `npx suitecase init`, or run this command in the folder of your project. If Vitest does not find the configuration by its name, pass it with `--config`.'
      : `The plugin is not in ${config}: see \`plugins\` there.`,
  )
}
