import { join } from 'node:path'
import { parseDocument } from 'yaml'
import { resolveOptions } from '../plugin/contract/options.ts'
import { SuiteFiles } from '../plugin/main/suites/suite-files.ts'
import { loadSuite } from '../src/suite/load-suite.ts'
import { median } from './measure.ts'
import { printTarget } from './print.ts'
import { writeFiles } from './project.ts'
import { writeSuite } from './workload-texts.ts'

const SUITES = 1000

/** Measures loading one suite against the `yaml` library alone on the same text, and indexing 1000 suites. */
export async function benchLoading({ folder }: { folder: string }): Promise<number> {
  const place = join(folder, 'loading')
  const text = writeSuite(1, 200)
  const source = { path: 'bench.suite.yaml', text }
  const options = { folder: place, variables: ['base_url'], compat: false }
  const loading = await measure(() => loadSuite(source, options))
  const parsing = await measure(() => parseDocument(text))
  const speed = (seconds: number): string => `${(text.length / 1e6 / seconds).toFixed(2)} MB/s`
  console.log(`\nloading  ${text.length} bytes: ${speed(loading)}; yaml alone ${speed(parsing)}`)
  const missed = printTarget('loading a suite / the yaml library alone', loading / parsing, { limit: 1 })
  await writeFiles(place, '', { suites: SUITES, steps: 10 })
  const paths = Array.from({ length: SUITES }, (_, index) =>
    join(place, `flow-${String(index + 1).padStart(4, '0')}.suite.yaml`),
  )
  const indexing = await measure(() =>
    new SuiteFiles({ root: place, shownFrom: place }, resolveOptions(), () => Promise.resolve(paths)).index(),
  )
  return missed + printTarget(`index of ${SUITES} suites`, indexing, { limit: 1.5, unit: ' s' })
}

/** The median seconds of nine runs, after three warm-up runs. */
async function measure(task: () => unknown): Promise<number> {
  const times: number[] = []
  for (let run = -3; run < 9; run += 1) {
    const started = performance.now()
    await task()
    if (run >= 0) times.push((performance.now() - started) / 1000)
  }
  return median(times)
}
