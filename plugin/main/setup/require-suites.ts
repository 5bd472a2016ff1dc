import { relative, resolve } from 'node:path'
import type { Reporter, TestProject, Vitest } from 'vitest/node'
import { DEFAULT_INCLUDE, type ResolvedOptions } from '../../contract/options.ts'
import { refuse } from '../../contract/refuse.ts'
import { failRun } from '../report/fail-run.ts'
import { isReported } from '../report/read-test-module.ts'
import type { SuiteFiles } from '../suites/suite-files.ts'

/** A reporter that fails a run whose `include` matches no file, unless the user narrowed the run down. */
export function requireSuites(project: TestProject, files: SuiteFiles, include: readonly string[]): Reporter {
  const { vitest } = project
  return {
    async onTestRunEnd(modules, _errors, reason) {
      // A run that was stopped may not have reached its suites in TypeScript.
      if (reason === 'interrupted' || isNarrowed(vitest) || !vitest.projects.includes(project)) return
      // Without any test file Vitest itself fails the run.
      if (modules.length === 0 || (await files.index()).size > 0) return
      // Such a project may have its suites in TypeScript.
      const isDefault = include === DEFAULT_INCLUDE
      // All modules, not only those of this run: in watch mode a run has only what an edit affects.
      const known = vitest.state.getTestModules().flatMap(({ children }) => Array.from(children.allSuites()))
      if (isDefault && (vitest.config.shard || known.some((suite) => isReported(suite)))) return
      const folder = relative(vitest.config.root, project.config.dir ?? project.config.root) || '.'
      const globs = include.map((glob) => `\`${glob}\``).join(', ')
      failRun(
        vitest,
        `No suite file in \`${folder}\` matches the option \`include\` of suites(): ${globs}. Correct the globs, or set \`test.passWithNoTests\` to pass without suites.`,
      )
    },
  }
}

function isNarrowed(vitest: Vitest): boolean {
  const { config } = vitest
  // Filters of the command line, internal to Vitest. Without this property filtered runs would be judged as well.
  const filters = Reflect.get(vitest, 'filenamePattern') as string[] | undefined
  return Boolean(
    config.passWithNoTests || filters?.length || config.related || config.changed || config.mergeReports,
  )
}

/** Resolves `app` (extension optional). Throws if it is missing: suites with a `base_url` would still run. */
export async function requireApp(
  { config, vite }: TestProject,
  { app }: Pick<ResolvedOptions, 'app'>,
): Promise<string | undefined> {
  if (!app) return undefined
  const path = resolve(config.root, app.path)
  const found = await vite.environments.ssr.pluginContainer.resolveId(path)
  if (found) return found.id
  return refuse(
    `suitecase: the module of the option \`app\` does not exist: ${path}. Write its path relative to ${config.root}; an address goes into \`base_url\`.`,
  )
}
