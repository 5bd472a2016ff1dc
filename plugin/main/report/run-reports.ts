import { existsSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Vitest } from 'vitest/node'
import { parseJson, type Json } from '../../../src/json.ts'
import { buildSuiteResult, takeFigures } from '../../../src/report/build-suite-result.ts'
import { serialiseFailures } from '../../../src/report/files/list-failures.ts'
import { removeReports, writeReport } from '../../../src/report/files/report-folder.ts'
import { serialiseHar } from '../../../src/report/files/serialise-har.ts'
import { serialisePage } from '../../../src/report/files/serialise-page.ts'
import { nameFile, serialiseSuite, type Hide } from '../../../src/report/files/suite-file.ts'
import { describeThreshold } from '../../../src/report/performance/check-thresholds.ts'
import { parseBaseline, type Compared } from '../../../src/report/performance/compare-baseline.ts'
import { computePerformance } from '../../../src/report/performance/compute-performance.ts'
import type { SuiteFigures } from '../../../src/report/performance/figures.ts'
import { stringifySafely } from '../../../src/safe-json.ts'
import { createLeakFinder, type LeakFinder } from '../../../src/secrets/find-leaks.ts'
import { createRedactor, type Redactor } from '../../../src/secrets/redactor.ts'
import { listNames } from '../../../src/text/show-value.ts'
import type { ReporterOptions } from '../../contract/options.ts'
import { secretsOf } from '../secrets/run-secrets.ts'
import { checkOutputs } from './check-outputs.ts'
import { printSummary } from './print-summary.ts'
import type { NamedRun } from './read-test-module.ts'
import { findConcurrency, readRunFacts, type Checkout } from './read-run-facts.ts'

/** What stays in memory about a suite after its file is written. */
type SuiteRecord = { file: string; figures: SuiteFigures }

/** What is known of a run when it has ended. `errors` belong to no step. */
type EndedRun = { start: string; checkout: Checkout; errors: readonly string[] }

/** Reads the baseline. Our own `performance.json` may not be there yet. Any other error fails the run. */
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
      logger.warn(`suitecase: no baseline yet; the next run is compared with this one (${baseline}).`)
    else
      problems.push(
        `The baseline \`${baseline}\` could not be used: ${message}. Use the \`performance.json\` of an earlier run, or remove \`report.baseline\`.`,
      )
    return undefined
  }
}

/** The reports of a Vitest instance: on each suite as soon as it ends, and on all suites when a run ends. */
export class RunReports {
  readonly #vitest: Vitest
  readonly #options: ReporterOptions
  readonly #directory: string
  readonly #redactor: Redactor
  readonly #baseline: Compared | undefined
  readonly #byModule = new Map<string, SuiteRecord[]>()
  /** Suites that no summary has counted yet. */
  readonly #unreported = new Set<SuiteRecord>()
  /** Names of the files of suites, in lower case: no two suites share one, not even in different case. */
  readonly #taken = new Set<string>()
  /** Problems with files of suites, kept until a run has told them. */
  #lost: string[] = []
  /** Suite files that have results in several merged blobs. */
  readonly #repeated = new Set<string>()
  #isCurrent = false

  /** Opens the report directory and removes earlier files. An unreadable baseline is added to `problems`. */
  constructor(vitest: Vitest, options: ReporterOptions & { outputDir: string }, problems: string[]) {
    const { rules, search } = secretsOf(vitest)
    this.#vitest = vitest
    this.#options = options
    this.#directory = resolve(vitest.config.root, options.outputDir)
    this.#redactor = createRedactor({
      // Redaction is off only if every project turns it off.
      enabled: rules.length === 0 || rules.some((rule) => rule !== false),
      names: rules.flatMap((rule) => rule || []),
      search,
    })
    // Before anything is removed: the baseline may be the report of the last run.
    this.#baseline = readBaseline(vitest, { ...options, directory: this.#directory, problems })
    removeReports(this.#directory)
  }

  /** Writes the suites of a module, in place of earlier ones. `start` is when the run started (ISO 8601). */
  write(module: string, runs: readonly NamedRun[], start: string): void {
    if (this.#vitest.config.mergeReports !== undefined)
      for (const { figures } of this.#byModule.get(module) ?? []) this.#repeated.add(figures.file_path)
    this.#forget(module)
    const records = runs.map(({ fileName, run }) => {
      const result = buildSuiteResult(run, start, this.#redactor)
      const file = this.#chooseFile(this.#redactor.redactText(fileName))
      writeReport(this.#directory, file, serialiseSuite(result))
      return { file, figures: takeFigures(result) }
    })
    for (const record of records) this.#unreported.add(record)
    this.#byModule.set(module, records)
  }

  /** Forgets the suites whose files were deleted after an earlier run of watch mode. */
  forgetDeleted(): void {
    for (const module of this.#byModule.keys())
      if (!existsSync(module.split('\0')[0] as string)) this.#forget(module)
  }

  #forget(module: string): void {
    for (const { file } of this.#byModule.get(module) ?? []) this.#taken.delete(file.toLowerCase())
    this.#byModule.delete(module)
    this.#isCurrent = false
  }

  #chooseFile(name: string): string {
    for (let count = 1; ; count += 1) {
      const file = `suites/${nameFile(name)}${count === 1 ? '' : `-${count}`}.json`
      if (this.#taken.has(file.toLowerCase())) continue
      this.#taken.add(file.toLowerCase())
      return file
    }
  }

  has(module: string): boolean {
    return this.#byModule.has(module)
  }

  /** All records, by file, project and place in the file, whichever suite of them ended first. */
  #list(): SuiteRecord[] {
    return [...this.#byModule].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, records]) => records)
  }

  /** Writes the reports on all suites, without secrets, and a summary. Resolves to what must fail the run. */
  async finish({ start, checkout, errors: told }: EndedRun): Promise<string[]> {
    // In watch mode a run may have only other tests.
    if (this.#isCurrent && told.length === 0) return []
    this.#forgetLost()
    const lost = [...this.#lost]
    if (this.#repeated.size > 0)
      lost.push(
        `Several blobs have results of ${listNames([...this.#repeated])}: the reports hold only one of them. Remove the blobs of earlier runs, or give those of each environment a label (\`VITEST_BLOB_LABEL\`).`,
      )
    const { search } = secretsOf(this.#vitest)
    const finder = createLeakFinder(search)
    const { redactText } = this.#redactor
    const hide: Hide = (value) => finder.replaceInJson(value as Json, redactText) as typeof value
    const nameOf = (secret: string): string | undefined => hide(search.known.get(secret)?.[1])
    const rewritten = search.known.size > 0 ? this.#hideLate(finder, hide) : []
    const { thresholds, har, performance } = this.#options
    const errors = [...told, ...lost]
    const startTime = Date.parse(start)
    const suites = this.#list()
    const figures = suites.map((suite) => suite.figures)
    const report = hide(
      computePerformance(figures, {
        errors,
        startTime,
        baseline: this.#baseline,
        concurrency: findConcurrency(this.#vitest),
        thresholds,
      }),
    )
    const missed = (report.thresholds ?? [])
      .filter(({ passed }) => !passed)
      .map((one) => `A threshold was not met: ${describeThreshold(one)}.`)
    // In watch mode the summary counts only what this run ran. The reports keep the other suites.
    const ran = suites.filter((suite) => this.#unreported.has(suite)).map((suite) => suite.figures)
    const seed = [...ran, ...figures].find((suite) => suite.seed !== undefined)?.seed
    const index = { run: readRunFacts(this.#vitest, checkout, seed), report, suites: figures }
    const suiteFiles = suites.map(({ file }) => join(this.#directory, file))
    const failed = suiteFiles.filter((_, place) => figures[place]?.status === 'failure')
    const outputs: Record<string, () => Iterable<string>> = {
      'performance.json': () => [stringifySafely(report, 2), '\n'],
      'failures.json': () => serialiseFailures(failed, hide([...errors, ...missed]), hide),
      ...(har && { 'report.har': () => serialiseHar(suiteFiles, hide) }),
      'index.html': () => serialisePage(index, suiteFiles),
    }
    // One after the other: an error in the page must not lose the figures.
    for (const [name, open] of Object.entries(outputs)) {
      writeReport(this.#directory, name, open())
      // Lets signals through in between.
      await setImmediate()
    }
    const names = Object.keys(outputs)
    removeReports(this.#directory, new Set([...suites.map(({ file }) => file), ...names]))
    // The other files of suites were searched above, and the page has the same content.
    const unchecked = [...names.filter((name) => name !== 'index.html'), ...rewritten]
    const leaks = await checkOutputs(this.#directory, unchecked, { finder, nameOf })
    const own = ran.length === suites.length ? report : computePerformance(ran, { startTime })
    this.#isCurrent = told.length === 0
    this.#unreported.clear()
    this.#lost = []
    const directory = relative(process.cwd(), this.#directory)
    const { environment } = index.run
    printSummary(this.#vitest, { report, own, ran, environment, directory, isFull: performance === 'full' })
    return [
      ...lost,
      ...leaks.map((leak) => `${leak} Name the field that holds it in the \`redact\` option.`),
      ...missed,
    ]
  }

  /** Forgets suites whose files are gone, as when another run writes here, and notes that as a problem. */
  #forgetLost(): void {
    const isThere = ({ file }: SuiteRecord): boolean => existsSync(join(this.#directory, file))
    const lost = this.#list().filter((record) => !isThere(record))
    if (lost.length === 0) return
    for (const { file } of lost) this.#taken.delete(file.toLowerCase())
    for (const [module, records] of this.#byModule) this.#byModule.set(module, records.filter(isThere))
    const paths = [...new Set(lost.map(({ figures }) => figures.file_path))]
    this.#lost.push(
      `The reports lack the results of ${listNames(paths)}: their files were removed from \`${this.#options.outputDir}\` during the run, perhaps by another run that writes there. Give each run its own \`report.outputDir\`, and run these suites again.`,
    )
  }

  /** Hides secrets in files of suites written before they were known. Returns the files that it rewrote. */
  #hideLate(finder: LeakFinder, hide: Hide): string[] {
    const late = this.#list().filter((record) => {
      const text = readFileSync(join(this.#directory, record.file), 'utf8')
      if (!finder.isIn(text)) return false
      writeReport(this.#directory, record.file, [stringifySafely(hide(parseJson(text)), 2), '\n'])
      record.figures = hide(record.figures)
      return true
    })
    return late.map(({ file }) => file)
  }
}
