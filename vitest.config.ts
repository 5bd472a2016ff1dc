import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{src,plugin,server}/**/*.test.ts', 'examples/*.test.ts'],
    testTimeout: 60_000,
    // Limits of a tenth of a second are tested for real: a busy machine may miss one.
    retry: process.env['CI'] ? 2 : 0,
  },
})
