import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { measureRun } from './measure.ts'
import { printTarget } from './print.ts'
import { VITEST, writeFiles, writeSuiteConfig } from './project.ts'
import { writeSuite } from './workload-texts.ts'

/** Runs 20,000 steps in 5,000 files: memory is bounded, and nothing stays open. */
export async function benchSoak({ folder, url }: { folder: string; url: string }): Promise<number> {
  console.log('\nsoak')
  const cwd = join(folder, 'soak')
  await writeFiles(cwd, { count: 5000, ending: '.suite.yaml', text: (number) => writeSuite(number, 4) })
  await writeFile(join(cwd, 'vitest.config.ts'), writeSuiteConfig({}))
  const { memory, descriptors } = await measureRun({
    args: [VITEST, 'run'],
    cwd,
    // Without a limit V8 lets the heap grow while the machine has memory; what is in use stays below 300 MB.
    env: { BENCH_URL: url, NODE_OPTIONS: '--max-old-space-size=400' },
    passes: 20_000,
  })
  return [
    printTarget('peak memory', memory, { limit: 1024, unit: ' MB' }),
    // Those that Node and Vitest have anyway; zero where the system does not tell.
    printTarget('descriptors and sockets open at the end', descriptors, { limit: 100 }),
  ].filter((isMissed) => isMissed).length
}
