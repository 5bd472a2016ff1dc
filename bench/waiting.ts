import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { measureRun, median, type Command } from './measure.ts'
import { printTarget } from './print.ts'
import { VITEST, writeFiles, writeSuiteConfig, writeTestConfig } from './project.ts'
import { writeWaitingSuite, writeWaitingTest } from './workload-texts.ts'

const SUITES = 64
const STEPS = 5
const ROUNDS = 3

/** Suites that wait for their server nearly all the time, with default options: in turn they would take 32 s. */
export async function benchWaiting({ folder, url }: { folder: string; url: string }): Promise<number> {
  const suites = join(folder, 'waiting')
  const tests = join(folder, 'waiting-tests')
  await writeFiles(suites, {
    count: SUITES,
    ending: '.suite.yaml',
    text: (number) => writeWaitingSuite(number, STEPS),
  })
  await writeFiles(tests, {
    count: SUITES,
    ending: '.test.ts',
    text: (number) => writeWaitingTest(number, STEPS),
  })
  await writeFile(join(suites, 'vitest.config.ts'), writeSuiteConfig({}))
  await writeFile(join(tests, 'vitest.config.ts'), writeTestConfig({ pool: 'threads', isolate: false }))
  const common: Omit<Command, 'cwd'> = {
    args: [VITEST, 'run'],
    env: { BENCH_URL: url },
    passes: SUITES * STEPS,
  }
  const byHand = (await measureRun({ ...common, cwd: tests })).wall
  const walls: number[] = []
  for (let round = 0; round < ROUNDS; round += 1)
    walls.push((await measureRun({ ...common, cwd: suites })).wall)
  console.log(`\nwaiting  ${SUITES} × ${STEPS}: requests of 100 ms, default options`)
  console.log(`  suitecase ${median(walls).toFixed(2)} s, by hand, threads ${byHand.toFixed(2)} s`)
  return printTarget('suitecase / by hand, threads', median(walls) / byHand, { limit: 0.06 }) ? 1 : 0
}
