import { suites } from 'suitecase/plugin'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [suites({ app: './src/app.ts' })],
  test: {
    coverage: {
      include: ['src/**/*.ts'],
      thresholds: { statements: 90, branches: 90, functions: 90, lines: 90 },
    },
  },
})
