export { default as AGENTS_PARAGRAPH } from './templates/agents.md?raw'
export { default as SKILL } from './templates/SKILL.md?raw'
export { default as SUITE } from './templates/example.yaml?raw'

/** How a configuration imports the plugin. */
export const IMPORT_LINE = "import { suites } from 'suitecase/plugin'"
/** The same in a CommonJS file. */
export const REQUIRE_LINE = "const { suites } = require('suitecase/plugin')"

/** How a configuration uses the plugin: a misspelt variable fails a step. */
export const PLUGIN_CALL = "suites({ unresolved: 'error' })"

/** A new Vitest configuration. */
export const CONFIG = `${IMPORT_LINE}
import { defineConfig } from 'vitest/config'

export default defineConfig({ plugins: [${PLUGIN_CALL}] })
`

/** What makes VS Code complete suite files, by the schema at a path. */
export function editorSetting(schema: string): string {
  return `"yaml.schemas": { "${schema}": ["*.suite.yaml", "*.suite.yml"] }`
}
