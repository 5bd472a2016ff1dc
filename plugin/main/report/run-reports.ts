import { readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Vitest } from 'vitest/node'
import { parseJson } from '../../../src/json.ts'
import { buildSuiteResult, redactSuite } from '../../../src/report/build-suite-result.ts'
import { serialiseFailures } from '../../../src/report/files/list-failures.ts'
import { createFileNames } from '../../../src/report/files/name-file.ts'
import { openFolder, type ReportFolder } from '../../../src/report/files/report-folder.ts'
import { serialiseHar } from '../../../src/report/files/serialise-har.ts'
import { serialisePage } from '../../../src/report/files/serialise-page.ts'
import { serialiseSuite } from '../../../src/report/files/serialise-suite.ts'
import { adviseThreshold, describeThreshold } from '../../../src/report/performance/check-thresholds.ts'
import { parseBaseline, type Compared } from '../../../src/report/performance/compare-baseline.ts'
import { computePerformance } from '../../../src/report/performance/compute-performance.ts'
import type { SuiteFigures } from '../../../src/report/performance/performance-report.ts'
import { takeFigures } from '../../../src/report/performance/take-figures.ts'
import { recordSuite } from '../../../src/report/step-record.ts'
import type { SuiteResult } from '../../../src/run/result.ts'
import { stringifySafely } from '../../../src/safe-json.ts'
import { createLeakFinder, type LeakFinder } from '../../../src/secrets/find-leaks.ts'
import { createRedactor, type Redactor } from '../../../src/secrets/redactor.ts'
import type { ReporterOptions } from '../../contract/options.ts'
import { secretsOf } from '../secrets/run-secrets.ts'
import { checkOutputs } from './check-outputs.ts'
import { printSummary } from './print-summary.ts'
import type { NamedRun } from './read-module.ts'
import { findConcurrency, readRunFacts, type Checkout } from './read-run-facts.ts'

/** What stays in memory of a suite once its file is written. */
type SuiteRecord = {
  /** Relative to the report directory, with forward slashes. */
  file: string
  figures: SuiteFigures
  /** Start of the run it ran in: in watch mode that of its last one. */
  start: string
}

/** What is known of a run when it has ended. */
type EndedRun = {
  /** UTC, ISO 8601. */
  start: string
  /** What was checked out then. */
  checkout: Checkout
  /** Errors that belong to no step. */
  errors: readonly string[]
}

/** The first run that is its own baseline has none; any other that cannot be read fails the run. */
function readBaseline(
  { config, logger }: Vitest,
  { baseline, directory, problems }: ReporterOptions & { directory: string; problems: string[] },
): Compared | undefined {
  if (baseline === undefined) return undefined
  const file = resolve(config.root, baseline)
  try {
    return parseBaseline(readFileSync(file, 'utf8'))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' && file === join(directory, 'performance.json'))
      logger.log(`suitecase: no baseline yet; the next run is compared with this one (${baseline}).`)
    else
      problems.push(
        `The baseline \`${baseline}\` could not be used: ${message}. Give the \`performance.json\` of an earlier run, or remove \`report.baseline\`.`,
      )
    return undefined
  }
}

/** The reports of a Vitest: suites are written when they end, replaced when they run again in watch mode; what needs all of them is written when a run ends. */
export class RunReports {
  readonly #vitest: Vitest
  readonly #options: ReporterOptions
  readonly #directory: string
  readonly #folder: ReportFolder
  readonly #redactor: Redactor
  readonly #baseline: Compared | undefined
  readonly #byModule = new Map<string, SuiteRecord[]>()
  readonly #nameFor = createFileNames()
  /** How many of the secrets that workers told of the redactor knows. */
  #learned = 0

  /** Opens the report directory and removes what an earlier run wrote there. A baseline that cannot be read is one of the `problems` that fail the run. */
  constructor(vitest: Vitest, options: ReporterOptions & { outputDir: string }, problems: string[]) {
    const { rules } = secretsOf(vitest)
    this.#vitest = vitest
    this.#options = options
    this.#directory = resolve(vitest.config.root, options.outputDir)
    this.#redactor = createRedactor({
      // Off only where no project wants it.
      enabled: rules.length === 0 || rules.some((rule) => rule !== false),
      names: rules.flatMap((rule) => rule || []),
    })
    // Before anything is removed: the baseline may be the report of the last run.
    this.#baseline = readBaseline(vitest, { ...options, directory: this.#directory, problems })
    this.#folder = openFolder(this.#directory)
    this.#folder.removeOthers([])
  }

  /** Writes the suites of one module in place of those it had before; `start` is when the run started. Files are named after node ids. */
  write(module: string, runs: readonly NamedRun[], start: string): void {
    this.#learnSecrets()
    const records = runs.map(({ key, fileName, run }) => {
      // Its worker has redacted the rest, with all that it knew.
      const result = buildSuiteResult({ ...redactSuite(run, this.#redactor), run_start: start })
      const file = `suites/${this.#nameFor(key, this.#redactor.redactText(fileName))}.json`
      this.#folder.write(file, serialiseSuite(result))
      return { file, figures: takeFigures(result), start }
    })
    this.#byModule.set(module, records)
    if (runs.length === 0) this.#removeIfEmpty()
  }

  /** Forgets the suites of a file, in whatever project. */
  removeFile(path: string): void {
    for (const module of this.#byModule.keys())
      if (module.endsWith(`\0${path}`)) this.#byModule.delete(module)
    this.#removeIfEmpty()
  }

  /** The files of the last suite that was there are true no longer, and no run may follow that has others. */
  #removeIfEmpty(): void {
    if (this.list().length === 0) this.#folder.removeOthers([])
  }

  has(module: string): boolean {
    return this.#byModule.has(module)
  }

  /** In an order that does not depend on which suite ended first: by file path, then project, then place in the file. */
  list(): SuiteRecord[] {
    const modules = [...this.#byModule].toSorted(([a], [b]) => compare(a, b))
    return modules
      .flatMap(([, records]) => records)
      .sort((a, b) => compare(a.figures.file_path, b.figures.file_path))
  }

  /** Writes what needs the whole run, checks all files for secrets and prints the summary. Returns what must fail the run. */
  async finish({ start, checkout, errors: told }: EndedRun): Promise<string[]> {
    const secrets = new Set([...this.#learnSecrets(), ...this.#redactor.secrets()])
    const finder = secrets.size > 0 ? createLeakFinder(secrets) : undefined
    const rewritten = finder ? this.#hideLate(finder) : []
    const { thresholds, har, performance } = this.#options
    const errors = told.map((error) => this.#redactor.redactText(error))
    const startTime = Date.parse(start)
    const suites = this.list()
    const figures = suites.map((suite) => suite.figures)
    const report = computePerformance(figures, {
      errors,
      startTime,
      baseline: this.#baseline,
      concurrency: findConcurrency(this.#vitest),
      thresholds,
    })
    const seed = figures.find((suite) => suite.seed !== undefined)?.seed
    const index = { run: readRunFacts(this.#vitest, checkout, seed), report, suites: figures }
    const suiteFiles = suites.map(({ file }) => join(this.#directory, file))
    const failed = suiteFiles.filter((_, place) => figures[place]?.status === 'failure')
    const outputs: Record<string, () => Iterable<string>> = {
      'performance.json': () => [stringifySafely(report, 2), '\n'],
      'failures.json': () => serialiseFailures(failed, errors),
      ...(har && { 'report.har': () => serialiseHar(suiteFiles) }),
      'index.html': () => serialisePage({ index, suiteFiles }),
    }
    // One after the other: what goes wrong with the page does not cost the figures.
    for (const [name, open] of Object.entries(outputs)) {
      this.#folder.write(name, open())
      // A signal is heard in between.
      await setImmediate()
    }
    const names = Object.keys(outputs)
    this.#folder.removeOthers([...suites.map(({ file }) => file), ...names])
    // The suites' files were looked through above, and the page holds the same.
    const unchecked = [...names.filter((name) => name !== 'index.html'), ...rewritten]
    const { nameOf } = this.#redactor
    const leaks = finder ? checkOutputs(this.#directory, unchecked, { finder, nameOf }) : []
    // A rerun of watch mode counts what it ran; the reports keep the other suites.
    const ran = suites.filter((suite) => suite.start === start).map((suite) => suite.figures)
    const own = ran.length === suites.length ? report : computePerformance(ran, { startTime })
    const directory = relative(process.cwd(), this.#directory)
    printSummary(this.#vitest, { report, own, ran, directory, seed, isFull: performance === 'full' })
    return [
      ...leaks.map((leak) => `${leak} Name the field that holds it in the \`redact\` option.`),
      ...(report.thresholds ?? [])
        .filter(({ passed }) => !passed)
        .map((one) => `A threshold is not kept: ${describeThreshold(one)}. ${adviseThreshold(one)}`),
    ]
  }

  /** Gives the secrets that workers told of. */
  #learnSecrets(): ReadonlySet<string> {
    const { values } = secretsOf(this.#vitest)
    // A set keeps its order: what was learnt before is at its beginning.
    if (values.size > this.#learned)
      for (const secret of values.values().drop(this.#learned)) this.#redactor.addSecret(secret)
    this.#learned = values.size
    return values
  }

  /** Hides what became known as secret after a file was written: another suite can have captured it later. Gives the files that were written anew. */
  #hideLate(finder: LeakFinder): string[] {
    const files: string[] = []
    for (const record of this.list()) {
      const text = readFileSync(join(this.#directory, record.file), 'utf8')
      if (!finder.isIn(text)) continue
      let places = 0
      const result = finder.replaceInJson(parseJson(text), (leak) => {
        places += 1
        return this.#redactor.redactText(leak)
      })
      if (places === 0) continue
      const suite = recordSuite(result as unknown as SuiteResult)
      this.#folder.write(record.file, serialiseSuite(suite))
      record.figures = takeFigures(suite)
      files.push(record.file)
    }
    return files
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
