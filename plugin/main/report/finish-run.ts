import { join, relative } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Vitest } from 'vitest/node'
import { serialiseFailures } from '../../../src/report/files/list-failures.ts'
import type { Manifest } from '../../../src/report/files/manifest.ts'
import { serialisePage } from '../../../src/report/files/serialise-page.ts'
import { writeAtomically } from '../../../src/report/files/write-atomically.ts'
import { adviseThreshold, describeThreshold } from '../../../src/report/performance/check-thresholds.ts'
import { computePerformance } from '../../../src/report/performance/compute-performance.ts'
import type { PerformanceOptions } from '../../../src/report/performance/compute-performance.ts'
import { serialiseHar } from '../../../src/report/files/serialise-har.ts'
import { formatMs } from '../../../src/text/units.ts'
import type {
  BaselineComparison,
  PerformanceReport,
} from '../../../src/report/performance/performance-report.ts'
import {
  renderFigures,
  renderLine,
  renderPerformanceText,
} from '../../../src/report/performance/render-performance.ts'
import { readTemplate } from '../../../src/report/read-template.ts'
import type { Redactor } from '../../../src/secrets/redactor.ts'
import { stringifySafely } from '../../../src/safe-json.ts'
import { createLeakFinder } from '../../../src/secrets/find-leaks.ts'
import { checkOutputs } from './check-outputs.ts'
import { isTerse } from './find-reporter.ts'
import { findConcurrency, findSeed, readRunFacts, type Checkout } from './read-run-facts.ts'
import type { ResolvedReporterOptions } from './reporter-options.ts'
import type { SuiteRecord, SuiteRecords } from './suite-records.ts'

/** What a reporter keeps from run to run. */
export type Session = {
  vitest: Vitest
  directory: string
  redactor: Redactor
  records: SuiteRecords
  manifest: Manifest
  baseline: PerformanceOptions['baseline'] | undefined
}

type FinishOptions = ResolvedReporterOptions & {
  /** Values that must be in no output. */
  secrets: readonly string[]
  /** When the run started, in ms. */
  startTime: number
  /** What was checked out then. */
  checkout: Checkout
  /** Errors that belong to no step. */
  errors: readonly string[]
}

/** A file of the report, and what it is written of. */
type Output = [name: string, open: () => Iterable<string>]

/** Writes what needs the whole run, checks all files for secrets and prints the summary. Returns what must fail the run. */
export async function finishRun(session: Session, options: FinishOptions): Promise<string[]> {
  const { vitest, directory, manifest, records, redactor, baseline } = session
  const { errors, startTime, thresholds, har, performance } = options
  const secrets = new Set([...options.secrets, ...redactor.secrets()])
  const rewritten = secrets.size > 0 ? records.hideLate(createLeakFinder(secrets)) : []
  const suites = records.list()
  const figures = suites.map((suite) => suite.figures)
  const concurrency = findConcurrency(vitest)
  const report = computePerformance(figures, { errors, startTime, concurrency, thresholds, baseline })
  const run = await readRunFacts(vitest, suites, options.checkout)
  const suiteFiles = suites.map(({ file }) => join(directory, file))
  const failed = suiteFiles.filter((_, index) => figures[index]?.status === 'failure')
  const page = (): Iterable<string> =>
    serialisePage({ template: readTemplate(), index: { run, report, suites: figures }, suiteFiles })
  const archive: readonly Output[] = har ? [['report.har', () => serialiseHar(suiteFiles)]] : []
  const outputs: readonly Output[] = [
    ['performance.json', () => [stringifySafely(report, 2), '\n']],
    ['failures.json', () => serialiseFailures(failed, errors)],
    ...archive,
    ['index.html', page],
  ]
  const names = outputs.map(([name]) => name)
  // One after the other: what goes wrong with the page does not cost the figures.
  for (const [name, open] of outputs) {
    manifest.add(name)
    writeAtomically(join(directory, name), open())
    // A signal is heard in between.
    await setImmediate()
  }
  manifest.removeOthers(new Set([...suites.map(({ file }) => file), ...names]))
  // The suites' files were looked through above, and the page holds the same.
  const written = [...names.filter((name) => name !== 'index.html'), ...rewritten]
  const leaks = checkOutputs(directory, written, { secrets, nameOf: redactor.nameOf })
  print(session, { report, suites, isFull: performance === 'full', startTime })
  return [
    ...leaks.map((leak) => `${leak} Name the field that holds it in the \`redact\` option.`),
    ...(report.thresholds ?? [])
      .filter(({ passed }) => !passed)
      .map((one) => `A threshold is not kept: ${describeThreshold(one)}. ${adviseThreshold(one)}`),
  ]
}

function compare({ before_ms: before = 0, change_percent: change = 0 }: BaselineComparison): string {
  return `average ${formatMs(before)} before, ${change > 0 ? '+' : ''}${change} %`
}

/** How many places of flaky steps are shown. */
const MOST_FLAKY = 10

/** How many steps did not pass the first time, and where they are; undefined if there is none. */
function describeFlaky(suites: readonly SuiteRecord[]): string | undefined {
  const flaky = suites.flatMap(({ figures }) =>
    figures.steps.filter((step) => step.flaky).map(({ line }) => `${figures.file_path}:${line}`),
  )
  if (flaky.length === 0) return undefined
  const places = [...new Set(flaky)]
  const more = places.length > MOST_FLAKY ? `, and ${places.length - MOST_FLAKY} more places` : ''
  return `${flaky.length} passed, but not the first time: ${places.slice(0, MOST_FLAKY).join(', ')}${more}`
}

type Printed = {
  report: PerformanceReport
  suites: readonly SuiteRecord[]
  isFull: boolean
  startTime: number
}

/** Ends a run in the terminal. A rerun of watch mode counts what it ran; the reports keep the other suites. */
function print({ vitest, directory }: Session, { report, suites, isFull, startTime }: Printed): void {
  const { logger } = vitest
  const stream = logger.outputStream as Partial<NodeJS.WriteStream>
  const color = Boolean(stream.isTTY) && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb'
  const options = { width: logger.getColumns(), color }
  const rerun = suites.filter(({ runStart }) => runStart === startTime)
  const own =
    rerun.length === suites.length
      ? report
      : computePerformance(
          rerun.map(({ figures }) => figures),
          { startTime },
        )
  const seed = findSeed(suites)
  const show = (name: string): string => relative(process.cwd(), join(directory, name))
  if (isTerse(vitest)) {
    const repeat = seed === undefined ? '' : ` (seed ${seed})`
    if (report.status === 'failure') logger.log(`Failures: ${show('failures.json')}${repeat}`)
    return
  }
  const lines = isFull
    ? [renderPerformanceText(report, options)]
    : [renderLine('Performance', renderFigures(own), options)]
  if (!isFull && report.baseline?.before_ms !== undefined)
    lines.push(renderLine('Baseline', compare(report.baseline), options))
  const flaky = describeFlaky(rerun)
  if (flaky !== undefined) lines.push(renderLine('Flaky', flaky, options))
  if (seed !== undefined)
    lines.push(renderLine('Seed', `${seed} (option \`seed\` repeats the generated data)`, options))
  lines.push(renderLine('Report', show('index.html'), options))
  logger.log(`\n${lines.join('\n')}\n`)
}
