import { join, relative } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Vitest } from 'vitest/node'
import { serialiseFailures } from '../../../src/report/files/list-failures.ts'
import type { Manifest } from '../../../src/report/files/manifest.ts'
import { serialiseHar } from '../../../src/report/files/serialise-har.ts'
import { serialisePage } from '../../../src/report/files/serialise-page.ts'
import { writeAtomically } from '../../../src/report/files/write-atomically.ts'
import { adviseThreshold, describeThreshold } from '../../../src/report/performance/check-thresholds.ts'
import { computePerformance } from '../../../src/report/performance/compute-performance.ts'
import type { PerformanceOptions } from '../../../src/report/performance/compute-performance.ts'
import type { PerformanceReport } from '../../../src/report/performance/performance-report.ts'
import {
  renderFigures,
  renderLine,
  renderPerformanceText,
} from '../../../src/report/performance/render-performance.ts'
import { readTemplate } from '../../../src/report/read-template.ts'
import { stringifySafely } from '../../../src/safe-json.ts'
import { createLeakFinder } from '../../../src/secrets/find-leaks.ts'
import type { Redactor } from '../../../src/secrets/redactor.ts'
import { formatMs } from '../../../src/text/units.ts'
import type { ReporterOptions } from '../../contract/options.ts'
import { checkOutputs } from './check-outputs.ts'
import { isTerse } from './find-reporter.ts'
import { findConcurrency, readRunFacts, type Checkout } from './read-run-facts.ts'
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

/** What is known of the run when it has ended. */
type EndedRun = {
  options: ReporterOptions
  /** Values that must be in no output. */
  secrets: Iterable<string>
  /** When the run started, in ms. */
  startTime: number
  /** What was checked out then. */
  checkout: Checkout
  /** Errors that belong to no step. */
  errors: readonly string[]
}

/** Writes what needs the whole run, checks all files for secrets and prints the summary. Returns what must fail the run. */
export async function finishRun(session: Session, run: EndedRun): Promise<string[]> {
  const { vitest, directory, manifest, records, redactor, baseline } = session
  const { errors, startTime, options } = run
  const secrets = new Set([...run.secrets, ...redactor.secrets()])
  const rewritten = secrets.size > 0 ? records.hideLate(createLeakFinder(secrets)) : []
  const suites = records.list()
  const figures = suites.map((suite) => suite.figures)
  const report = computePerformance(figures, {
    errors,
    startTime,
    baseline,
    concurrency: findConcurrency(vitest),
    thresholds: options.thresholds,
  })
  const seed = figures.find((suite) => suite.seed !== undefined)?.seed
  const index = { run: readRunFacts(vitest, run.checkout, seed), report, suites: figures }
  const suiteFiles = suites.map(({ file }) => join(directory, file))
  const failed = suiteFiles.filter((_, place) => figures[place]?.status === 'failure')
  const outputs: Record<string, () => Iterable<string>> = {
    'performance.json': () => [stringifySafely(report, 2), '\n'],
    'failures.json': () => serialiseFailures(failed, errors),
    ...(options.har && { 'report.har': () => serialiseHar(suiteFiles) }),
    'index.html': () => serialisePage({ template: readTemplate(), index, suiteFiles }),
  }
  // One after the other: what goes wrong with the page does not cost the figures.
  for (const [name, open] of Object.entries(outputs)) {
    manifest.add(name)
    writeAtomically(join(directory, name), open())
    // A signal is heard in between.
    await setImmediate()
  }
  const names = Object.keys(outputs)
  manifest.removeOthers(new Set([...suites.map(({ file }) => file), ...names]))
  // The suites' files were looked through above, and the page holds the same.
  const written = [...names.filter((name) => name !== 'index.html'), ...rewritten]
  const leaks = checkOutputs(directory, written, { secrets, nameOf: redactor.nameOf })
  // A rerun of watch mode counts what it ran; the reports keep the other suites.
  const rerun = suites.filter(({ runStart }) => runStart === startTime)
  print(session, report, { suites: rerun, isWhole: rerun.length === suites.length, seed, ...run })
  return [
    ...leaks.map((leak) => `${leak} Name the field that holds it in the \`redact\` option.`),
    ...(report.thresholds ?? [])
      .filter(({ passed }) => !passed)
      .map((one) => `A threshold is not kept: ${describeThreshold(one)}. ${adviseThreshold(one)}`),
  ]
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

type Printed = Pick<EndedRun, 'options' | 'startTime'> & {
  /** Suites that ran; `isWhole` if these are all of the report. */
  suites: readonly SuiteRecord[]
  isWhole: boolean
  seed: number | undefined
}

/** Ends a run in the terminal. */
function print(
  { vitest, directory }: Session,
  report: PerformanceReport,
  { options, startTime, suites, isWhole, seed }: Printed,
): void {
  const { logger } = vitest
  const show = (name: string): string => relative(process.cwd(), join(directory, name))
  if (isTerse(vitest)) {
    const repeat = seed === undefined ? '' : ` (seed ${seed})`
    if (report.status === 'failure') logger.log(`Failures: ${show('failures.json')}${repeat}`)
    return
  }
  const stream = logger.outputStream as Partial<NodeJS.WriteStream>
  const color = Boolean(stream.isTTY) && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb'
  const style = { width: logger.getColumns(), color }
  const lines: string[] = []
  const add = (label: string, text: string | undefined): void => {
    if (text !== undefined) lines.push(renderLine(label, text, style))
  }
  if (options.performance === 'full') lines.push(renderPerformanceText(report, style))
  else {
    const own = suites.map(({ figures }) => figures)
    add('Performance', renderFigures(isWhole ? report : computePerformance(own, { startTime })))
    const { before_ms: before, change_percent: change = 0 } = report.baseline ?? {}
    if (before !== undefined)
      add('Baseline', `average ${formatMs(before)} before, ${change > 0 ? '+' : ''}${change} %`)
  }
  add('Flaky', describeFlaky(suites))
  if (seed !== undefined) add('Seed', `${seed} (option \`seed\` repeats the generated data)`)
  add('Report', show('index.html'))
  logger.log(`\n${lines.join('\n')}\n`)
}
