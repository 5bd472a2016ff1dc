import { suites } from 'suitecase/plugin'
import { defineConfig } from 'vitest/config'

/** Which of the four applications is tested: `FRAMEWORK=hono npx vitest run`. */
const framework = process.env['FRAMEWORK'] ?? 'koa'

export default defineConfig({ plugins: [suites({ app: `./apps/${framework}.ts` })] })
