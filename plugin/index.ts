import type { Plugin } from 'vitest/config'
import { declareCarrier } from './main/setup/describe-project.ts'
import { INDEX_MODULE } from './contract/parcel.ts'
import { resolveOptions, type Options } from './contract/options.ts'
import { PACKAGE_FILES } from './contract/package-files.ts'
import { requireNode, requireVitest } from './main/setup/require-versions.ts'
import { SuiteProject } from './main/setup/suite-project.ts'
import { startEarly } from './main/suite-thread.ts'
import { linkTyped } from './main/suites/link-typed.ts'

export type { Options } from './contract/options.ts'

/**
 * The Vitest plugin. Turns every suite file into a test file, in a project that it adds to the user's configuration.
 * Throws a `TypeError` that names every unknown or wrong option.
 */
export function suites(options: Options = {}): Plugin[] {
  requireNode()
  const project = new SuiteProject(resolveOptions(options))
  const plugin: Plugin = {
    name: 'suitecase',
    enforce: 'pre',
    // The command line and the language server find the suites of a configuration here.
    api: project,
    config({ test }) {
      startEarly()
      project.filter.keep(test)
      return { test: { server: { deps: { external: [PACKAGE_FILES] } }, ...declareCarrier(test) } }
    },
    async configureVitest(context) {
      requireVitest(context.vitest.version)
      await project.install(context)
    },
    resolveId: (id) => (id === INDEX_MODULE ? `\0${id}` : project.served.resolve(id)),
    load: (id) => project.served.load(id),
    transform: {
      filter: { code: /["']suitecase["']/ },
      handler(code, id) {
        const { files, options } = project.served
        return files && linkTyped(code, id, { ...options, files, watch: (path) => this.addWatchFile(path) })
      },
    },
  }
  return [plugin]
}
