import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{src,plugin,server}/**/*.test.ts', 'examples/*.test.ts'],
    testTimeout: 30_000,
  },
})
