import { join } from 'node:path'
import { measureRun } from './measure.ts'
import { printTarget } from './print.ts'
import { writeFiles } from './project.ts'

/** Runs 20,000 steps in 5,000 files. Memory must stay bounded, and nothing may stay open. */
export async function benchSoak({ folder, url }: { folder: string; url: string }): Promise<number> {
  console.log('\nsoak')
  const command = await writeFiles(join(folder, 'soak'), url, { suites: 5000, steps: 4 })
  // Without a limit V8 lets the heap grow as long as the machine has memory. Memory in use stays below 300 MB.
  const env = { ...command.env, NODE_OPTIONS: '--max-old-space-size=400' }
  const { memory, descriptors } = await measureRun({ ...command, env })
  const missed = printTarget('peak memory', memory, { limit: 1024, unit: ' MB' })
  // These are the ones that Node and Vitest always have. Zero if the system does not report them.
  return missed + printTarget('descriptors and sockets open at the end', descriptors, { limit: 100 })
}
