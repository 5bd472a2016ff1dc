import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { measureRun, type Figures } from './measure.ts'
import { printTarget } from './print.ts'
import { VITEST, writeFiles, writeSuiteConfig } from './project.ts'
import { writeChainedSuite, writeSuite } from './workload-texts.ts'

/** A large run beside a smaller one of the same form: what it costs must grow no faster than the run. */
const FORMS = [
  { name: 'steps of one suite', sizes: [2000, 20_000], plan: (size: number) => ({ suites: 1, steps: size }) },
  { name: 'suites of one step', sizes: [1000, 10_000], plan: (size: number) => ({ suites: size, steps: 1 }) },
  {
    name: 'suites that each read the one before',
    sizes: [100, 1000],
    plan: (size: number) => ({ suites: size, steps: 1 }),
    chained: true,
  },
] as const

/** Runs ten times as much, and compares wall time less the start with ten times the smaller run. */
export async function benchScale({ folder, url }: { folder: string; url: string }): Promise<number> {
  console.log('\nscale')
  let missed = 0
  const start = (await runOnce(join(folder, 'scale-start'), url, { suites: 1, steps: 1 })).wall
  for (const form of FORMS) {
    const figures: Figures[] = []
    for (const size of form.sizes) {
      const place = join(folder, 'scale')
      figures.push(await runOnce(place, url, { ...form.plan(size), chained: 'chained' in form }))
      await rm(place, { recursive: true })
    }
    const [small, large] = figures as [Figures, Figures]
    console.log(
      `  ${form.sizes.join(' and ')} ${form.name}: ${small.wall.toFixed(1)} and ${large.wall.toFixed(1)} s, ${small.memory.toFixed(0)} and ${large.memory.toFixed(0)} MB`,
    )
    const growth = (large.wall - start) / (small.wall - start) / 10
    missed += Number(printTarget(`growth beyond that of the run`, growth, { limit: 1.2 }))
  }
  return missed
}

async function runOnce(
  cwd: string,
  url: string,
  { suites, steps, chained = false }: { suites: number; steps: number; chained?: boolean },
): Promise<Figures> {
  const text = (number: number): string => (chained ? writeChainedSuite(number) : writeSuite(number, steps))
  await writeFiles(cwd, { count: suites, ending: '.suite.yaml', text })
  await writeFile(join(cwd, 'vitest.config.ts'), writeSuiteConfig({}))
  const command = { args: [VITEST, 'run'], cwd, env: { BENCH_URL: url }, passes: suites * steps }
  // The first run fills the caches.
  await measureRun(command)
  return measureRun(command)
}
