import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parseDocument } from 'yaml'
import { resolveOptions } from '../plugin/contract/options.ts'
import { SuiteFiles } from '../plugin/main/suites/suite-files.ts'
import { loadSuite } from '../src/suite/load-suite.ts'
import { measureRun, median, printTarget, type Figures, type Place } from './measure.ts'
import { writeFiles, type Files } from './project.ts'
import { usual, writeChainedSuite, writeSuite } from './texts.ts'

/** Measures the import of the plugin after Vitest is loaded. What the worker loads is part of W1. */
export async function benchImports({ folder: cwd }: Place): Promise<number> {
  console.log('\nimports')
  const script = `import 'vitest/node'
const started = performance.now()
await import('${new URL('../dist/plugin/index.js', import.meta.url).href}')
console.log(performance.now() - started)`
  const time = await measureOften(async () => {
    const args = ['--input-type=module', '--eval', script]
    return Number((await promisify(execFile)(process.execPath, args, { cwd })).stdout)
  })
  return printTarget('import of the plugin', time, { limit: 40, unit: ' ms' })
}

/** Measures loading one suite against the `yaml` library alone on the same text, and indexing 1000 suites. */
export async function benchLoading({ folder }: Place): Promise<number> {
  const root = join(folder, 'loading')
  const text = writeSuite(usual, 1, 200)
  const source = { path: 'bench.suite.yaml', text }
  const options = { folder: root, variables: ['base_url'], compat: false }
  const loading = await measureOften(() => loadSuite(source, options))
  const parsing = await measureOften(() => parseDocument(text))
  const speed = (time: number): string => `${(text.length / 1000 / time).toFixed(2)} MB/s`
  console.log(`\nloading  ${text.length} bytes: ${speed(loading)}; yaml alone ${speed(parsing)}`)
  await writeFiles(root, '', { suites: 1000, steps: 10 })
  const paths = globSync(join(root, '*.suite.yaml'))
  const indexing = await measureOften(() =>
    new SuiteFiles({ root, shownFrom: root }, resolveOptions(), () => Promise.resolve(paths)).index(),
  )
  return (
    printTarget('loading a suite / the yaml library alone', loading / parsing, { limit: 1 }) +
    printTarget('index of 1000 suites', indexing, { limit: 1500, unit: ' ms' })
  )
}

/** Runs a task 12 times. The median of the last nine: of the numbers it returns, else of its times in ms. */
async function measureOften(task: () => unknown): Promise<number> {
  const times: number[] = []
  for (let run = 0; run < 12; run += 1) {
    const started = performance.now()
    const result = await task()
    times.push(typeof result === 'number' ? result : performance.now() - started)
  }
  return median(times.slice(3))
}

/** Kinds of runs whose cost must not grow faster than their size, from `small` to ten times that. */
const FORMS: readonly { name: string; small: number; plan: (size: number) => Files }[] = [
  { name: 'steps of one suite', small: 2000, plan: (size) => ({ suites: 1, steps: size }) },
  { name: 'suites of one step', small: 1000, plan: (size) => ({ suites: size, steps: 1 }) },
  {
    name: 'suites that each read the one before',
    small: 100,
    plan: (size) => ({ suites: size, steps: 1, text: writeChainedSuite }),
  },
]

/** Compares the wall time of a run with that of one ten times as large, both without the time to start. */
export async function benchScale(place: Place): Promise<number> {
  console.log('\nscale')
  let missed = 0
  // A single measurement of it may be far too high.
  const starts: number[] = []
  while (starts.length < 5) starts.push((await measureWarm({ suites: 1, steps: 1 }, place)).wall)
  const start = median(starts)
  for (const { name, small, plan } of FORMS) {
    const one = await measureWarm(plan(small), place)
    const ten = await measureWarm(plan(10 * small), place)
    const walls = `${one.wall.toFixed(1)} and ${ten.wall.toFixed(1)} s`
    const memory = `${one.memory.toFixed(0)} and ${ten.memory.toFixed(0)} MB`
    console.log(`  ${small} and ${10 * small} ${name}: ${walls}, ${memory}`)
    const growth = (ten.wall - start) / (one.wall - start) / 10
    missed += printTarget('growth beyond that of the run', growth, { limit: 1.2 })
  }
  return missed
}

async function measureWarm(files: Files, { folder, url }: Place): Promise<Figures> {
  const command = await writeFiles(join(folder, 'scale'), url, files)
  // The first run fills the caches.
  await measureRun(command)
  const figures = await measureRun(command)
  await rm(command.cwd, { recursive: true })
  return figures
}

/** Runs 20,000 steps in 5,000 files. Memory must stay bounded, and nothing may stay open. */
export async function benchSoak({ folder, url }: Place): Promise<number> {
  console.log('\nsoak')
  const command = await writeFiles(join(folder, 'soak'), url, { suites: 5000, steps: 4 })
  // Without a limit V8 lets the heap grow as long as the machine has memory. Memory in use stays below 300 MB.
  const env = { ...command.env, NODE_OPTIONS: '--max-old-space-size=400' }
  const { memory, descriptors } = await measureRun({ ...command, env })
  const missed = printTarget('peak memory', memory, { limit: 1024, unit: ' MB' })
  // The limit leaves room for what Node and Vitest always hold open. The count is 0 outside Linux.
  return missed + printTarget('descriptors and sockets open at the end', descriptors, { limit: 100 })
}
