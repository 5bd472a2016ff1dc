import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

// Workers, and the processes that tests start, keep compiled code for the next one.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.suitecase/compiled')

export default defineConfig({
  test: {
    include: ['{src,plugin,server}/**/*.test.ts', 'examples/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Test files share loaded modules: otherwise each would load the same hundred.
    isolate: false,
    // Many tests wait for a process that they start, and leave their own processor free meanwhile.
    maxWorkers: Math.max(3, availableParallelism() - 1),
  },
})
