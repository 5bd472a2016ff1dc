import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vitest/config'
import { createCarrier } from './carrier-project.ts'
import { MESSAGE_PREFIX, PLAN_QUERY } from './messages.ts'
import { resolveOptions, type Options } from './options.ts'
import { PACKAGE_FILES } from './package-files.ts'
import { SuiteProject } from './project.ts'

export type { Options } from './options.ts'

/**
 * The Vitest plugin: turns every suite file into a test file, in a project of its own that it adds to the
 * user's configuration. Throws a `TypeError` that names every unknown or wrong option.
 */
export function suites(options: Options = {}): Plugin {
  const resolved = resolveOptions(options)
  const project = SuiteProject.installing ?? new SuiteProject(resolved)
  const runtime = fileURLToPath(new URL('./runtime.js', import.meta.url))
  return {
    name: 'suitecase',
    enforce: 'pre',
    config(config) {
      project.remember(config.test)
      return { test: { server: { deps: { external: [PACKAGE_FILES] } }, ...createCarrier(config.test) } }
    },
    async configureVitest(context) {
      await project.install(context)
    },
    resolveId(id) {
      return id.startsWith(MESSAGE_PREFIX) ? `\0${id}` : undefined
    },
    async load(id) {
      if (id.startsWith(`\0${MESSAGE_PREFIX}`)) return project.served.desk.answer(id)
      if (id.endsWith(PLAN_QUERY))
        return project.served.openModules().loadPlan(id.slice(0, -PLAN_QUERY.length))
      if (project.served.owns(id)) return project.served.openModules().loadTest(id, runtime)
      return undefined
    },
    transform: {
      filter: { code: /["']suitecase["']/ },
      handler: (code, id) => project.served.modules?.linkTyped(code, id),
    },
    async watchChange(id) {
      await project.served.forget(id)
    },
  } satisfies Plugin as Plugin
}
