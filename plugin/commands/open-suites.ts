import { stripVTControlCharacters } from 'node:util'
import type { Vitest } from 'vitest/node'
import { readMessage, type LocatedProblem, type SuiteError } from '../../src/errors.ts'
import { createSuiteError } from '../../src/suite/locate-problems.ts'
import { redactError } from '../contract/redact-error.ts'
import type { SuiteProject } from '../main/setup/suite-project.ts'

/** The suites of a folder, as Vitest's configuration there describes them. */
export type OpenSuites = { vitest: Vitest; projects: readonly SuiteProject[]; close: () => Promise<void> }

/**
 * Reads the configuration of a folder, and runs nothing; what Vitest prints goes to stderr. Rejects where the plugin is not in it.
 * @param config its file, relative to the folder, where Vitest would not find it by its name
 */
export async function openSuites(folder: string, config?: string): Promise<OpenSuites> {
  const { createVitest } = await import('vitest/node')
  const vitest: Vitest = await createVitest(
    'test',
    { root: folder, watch: false, reporters: [{}], ...(config !== undefined && { config }) },
    { logLevel: 'error' },
    { stdout: process.stderr },
  ).catch((error: unknown) => {
    // Vite colours its own.
    throw new Error(stripVTControlCharacters(readMessage(error)), { cause: error })
  })
  const plugins = vitest.projects.flatMap(({ vite }) => vite.config.plugins)
  const projects = new Set(
    plugins.flatMap(({ name, api }) => (name === 'suitecase' ? [(api as SuiteProject).served] : [])),
  )
  if (projects.size > 0) return { vitest, projects: [...projects], close: () => vitest.close() }
  await vitest.close()
  throw new Error(
    config === undefined
      ? 'There is no Vitest configuration with the plugin here: run `npx suitecase init`, or this in the folder of your project. `--config` names a file that Vitest does not find.'
      : `The plugin is not in ${config}: see \`plugins\` there.`,
  )
}

/** Errors of a suite that cannot run, and what is doubtful in one that can; without what is secret in the file. */
export async function listProblems(project: SuiteProject, path: string): Promise<readonly LocatedProblem[]> {
  const { redact } = project.options
  try {
    const linked = await project.files?.link(path)
    if (!linked) return []
    const problems = linked.plan.warnings.map(({ problem }) => problem)
    return redactError(createSuiteError(linked.source, problems), { redact, path }).problems
  } catch (error) {
    // The plugin that the configuration imports may be another copy of this package.
    if ((error as Error).name !== 'SuiteError') throw error
    return redactError(error as SuiteError, { redact, path }).problems
  }
}
