export { default as AGENTS_PARAGRAPH } from './templates/agents.md?raw'
export { default as SKILL } from './templates/SKILL.md?raw'
export { default as SUITE } from './templates/example.yaml?raw'

/** The import of the plugin in a configuration. */
export const IMPORT_LINE = "import { suites } from 'suitecase/plugin'"
export const REQUIRE_LINE = "const { suites } = require('suitecase/plugin')"

/** The call of the plugin in a new configuration. The option makes a step with a misspelt variable fail. */
export const PLUGIN_CALL = "suites({ unresolved: 'error' })"

/** A new Vitest configuration. */
export const CONFIG = `${IMPORT_LINE}
import { defineConfig } from 'vitest/config'

export default defineConfig({ plugins: [${PLUGIN_CALL}] })
`
/** A new configuration that runs suites only, since another tool runs the other tests. */
export const SUITES_ONLY = CONFIG.replace('] })', '], test: { include: [] } })')

/** The setting that makes VS Code complete suite files from the schema at this path. */
export function editorSetting(schema: string): string {
  return `"yaml.schemas": { "${schema}": ["*.suite.yaml", "*.suite.yml"] }`
}
