import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { measureRun, type Figures } from './measure.ts'
import { printTarget } from './print.ts'
import { writeFiles, type Files } from './project.ts'
import { writeChainedSuite } from './workload-texts.ts'

/** Forms of runs, each in two sizes: the cost must grow no faster than the run. */
const FORMS: readonly { name: string; small: number; plan: (size: number) => Files }[] = [
  { name: 'steps of one suite', small: 2000, plan: (size) => ({ suites: 1, steps: size }) },
  { name: 'suites of one step', small: 1000, plan: (size) => ({ suites: size, steps: 1 }) },
  {
    name: 'suites that each read the one before',
    small: 100,
    plan: (size) => ({ suites: size, steps: 1, text: writeChainedSuite }),
  },
]

/** Compares a run with one ten times as large, by wall time without the start. */
export async function benchScale({ folder, url }: { folder: string; url: string }): Promise<number> {
  console.log('\nscale')
  let missed = 0
  const place = join(folder, 'scale')
  const start = await runOnce(place, url, { suites: 1, steps: 1 })
  for (const { name, small, plan } of FORMS) {
    const one = await runOnce(place, url, plan(small))
    const ten = await runOnce(place, url, plan(10 * small))
    const walls = `${one.wall.toFixed(1)} and ${ten.wall.toFixed(1)} s`
    const memory = `${one.memory.toFixed(0)} and ${ten.memory.toFixed(0)} MB`
    console.log(`  ${small} and ${10 * small} ${name}: ${walls}, ${memory}`)
    const growth = (ten.wall - start.wall) / (one.wall - start.wall) / 10
    missed += printTarget('growth beyond that of the run', growth, { limit: 1.2 })
  }
  return missed
}

async function runOnce(cwd: string, url: string, files: Files): Promise<Figures> {
  const command = await writeFiles(cwd, url, files)
  // The first run fills the caches.
  await measureRun(command)
  const figures = await measureRun(command)
  await rm(cwd, { recursive: true })
  return figures
}
