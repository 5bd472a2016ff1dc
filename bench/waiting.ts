import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { measureRun, median } from './measure.ts'
import { printTarget } from './print.ts'
import { VITEST, writeFiles, writeSuiteConfig } from './project.ts'
import { writeWaitingSuite } from './workload-texts.ts'

const SUITES = 64
const STEPS = 5
const ROUNDS = 3

/** Suites that wait for their server nearly all the time, with default options: in turn they would take 32 s. */
export async function benchWaiting({ folder, url }: { folder: string; url: string }): Promise<number> {
  const cwd = join(folder, 'waiting')
  await mkdir(cwd)
  await writeFiles(cwd, {
    count: SUITES,
    ending: '.suite.yaml',
    text: (number) => writeWaitingSuite(number, STEPS),
  })
  await writeFile(join(cwd, 'vitest.config.ts'), writeSuiteConfig({}))
  const walls: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const command = { args: [VITEST, 'run'], cwd, env: { BENCH_URL: url }, passes: SUITES * STEPS }
    walls.push((await measureRun(command)).wall)
  }
  console.log(`\nwaiting  ${SUITES} × ${STEPS}: requests of 100 ms, default options`)
  return printTarget('wall time', median(walls), { limit: 5, unit: ' s' }) ? 1 : 0
}
