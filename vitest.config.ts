import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{src,plugin,server}/**/*.test.ts', 'examples/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Files share what one of them has loaded: each would load the same hundred modules.
    isolate: false,
    // Many tests wait for a process of their own, and leave their processor free meanwhile.
    maxWorkers: Math.max(3, availableParallelism() - 1),
  },
})
