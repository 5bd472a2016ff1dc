import { suites } from 'suitecase/plugin'
import { defineConfig } from 'vitest/config'

/** Selects one of the four applications: `FRAMEWORK=hono npx vitest run`. */
const framework = process.env['FRAMEWORK'] ?? 'koa'

export default defineConfig({ plugins: [suites({ app: `./apps/${framework}.ts` })] })
