import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from './measure.ts'
import { VITEST, writeFiles, writeSuiteConfig, writeTestConfig } from './project.ts'
import { FLOOR_SCRIPT, writeSuite, writeTest } from './workload-texts.ts'

/** Who takes part; the names are in the printed table. */
export type Candidate =
  | 'floor (undici)'
  | 'by hand, defaults'
  | 'by hand, threads'
  | 'suitecase'
  | 'suitecase, first run'
  | 'suitecase, no report'

/** Hand-written tests have a configuration file too: reading one costs Vitest a tenth of a second, whatever it says. */
const TEST_OPTIONS: Partial<Record<Candidate, object>> = {
  'by hand, defaults': {},
  'by hand, threads': { pool: 'threads', isolate: false },
}

const SUITE_OPTIONS: Partial<Record<Candidate, object>> = {
  suitecase: {},
  'suitecase, first run': {},
  'suitecase, no report': { report: false },
}

/** How much is run. */
export type Size = { suites: number; steps: number }

/** Writes the files of all candidates below a folder; the commands run one of them once. */
export async function prepareCandidates(
  folder: string,
  { size, url }: { size: Size; url: string },
): Promise<(candidate: Candidate) => Command> {
  const { suites: count, steps } = size
  const tests = join(folder, 'tests')
  const suites = join(folder, 'suites')
  await writeFiles(tests, { count, ending: '.test.ts', text: (number) => writeTest(number, steps) })
  // Whose cache is removed before each run must not share it.
  const first = join(folder, 'first')
  for (const place of [suites, first])
    await writeFiles(place, { count, ending: '.suite.yaml', text: (number) => writeSuite(number, steps) })
  await writeFile(join(folder, 'floor.js'), FLOOR_SCRIPT)
  for (const [candidate, options] of Object.entries(TEST_OPTIONS))
    await writeFile(join(tests, nameConfig(candidate)), writeTestConfig(options))
  for (const [candidate, options] of Object.entries(SUITE_OPTIONS))
    for (const place of [suites, first])
      await writeFile(join(place, nameConfig(candidate)), writeSuiteConfig(options))
  return (candidate) => {
    const common = { env: { BENCH_URL: url }, passes: count * steps }
    if (candidate === 'floor (undici)')
      return { ...common, args: ['floor.js', String(count), String(steps)], cwd: folder }
    const config = SUITE_OPTIONS[candidate] ?? TEST_OPTIONS[candidate]
    const place = candidate === 'suitecase, first run' ? first : suites
    const cwd = candidate in SUITE_OPTIONS ? place : tests
    return { ...common, args: [VITEST, 'run', ...(config ? ['--config', nameConfig(candidate)] : [])], cwd }
  }
}

function nameConfig(candidate: string): string {
  return `vitest.${candidate.replaceAll(/\W+/g, '-')}.config.ts`
}
