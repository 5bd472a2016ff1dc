import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseJson } from '../../../src/json.ts'
import { buildSuiteResult, redactSuite } from '../../../src/report/build-suite-result.ts'
import { createFileNames } from '../../../src/report/files/name-file.ts'
import type { Manifest } from '../../../src/report/files/manifest.ts'
import { serialiseSuite } from '../../../src/report/files/serialise-suite.ts'
import { writeAtomically } from '../../../src/report/files/write-atomically.ts'
import { takeFigures } from '../../../src/report/performance/take-figures.ts'
import { recordSuite } from '../../../src/report/step-record.ts'
import type { SuiteFigures } from '../../../src/report/performance/performance-report.ts'
import type { LeakFinder } from '../../../src/secrets/find-leaks.ts'
import type { SuiteResult } from '../../../src/run/result.ts'
import type { Redactor } from '../../../src/secrets/redactor.ts'
import type { NamedRun } from './read-module.ts'

/** What stays in memory of a suite once its file is written. */
export type SuiteRecord = {
  /** Relative to the report directory, with forward slashes. */
  file: string
  figures: SuiteFigures
  /** Start of the run it ran in, in ms: in watch mode that of its last one. */
  runStart: number
}

type RecordOptions = { directory: string; manifest: Manifest; redactor: Redactor }

/** The suites of a session: written when they end, replaced when they run again in watch mode. Files are named after node ids. */
export class SuiteRecords {
  #options: RecordOptions
  #byModule = new Map<string, SuiteRecord[]>()
  #nameFor = createFileNames()

  constructor(options: RecordOptions) {
    this.#options = options
  }

  /** Writes the suites of one module in place of those it had before; `start` is when the run started, UTC, ISO 8601. */
  replace(module: string, runs: readonly NamedRun[], start: string): void {
    this.#byModule.set(
      module,
      runs.map((run) => this.#write(run, start)),
    )
  }

  #write({ key, fileName, run }: NamedRun, start: string): SuiteRecord {
    const { directory, manifest, redactor } = this.#options
    // Its worker has redacted the rest, with all that it knew.
    const result = buildSuiteResult({ ...redactSuite(run, redactor), run_start: start })
    const file = `suites/${this.#nameFor(key, redactor.redactText(fileName))}.json`
    manifest.add(file)
    writeAtomically(join(directory, file), serialiseSuite(result))
    return { file, figures: takeFigures(result), runStart: Date.parse(start) }
  }

  /** Forgets the suites of a file, in whatever project. */
  removeFile(path: string): void {
    for (const module of this.#byModule.keys())
      if (module.endsWith(`\0${path}`)) this.#byModule.delete(module)
  }

  has(module: string): boolean {
    return this.#byModule.has(module)
  }

  /** Hides what became known as secret after a file was written: another suite can have captured it later. Gives the files that were written anew. */
  hideLate(finder: LeakFinder): string[] {
    const files: string[] = []
    for (const record of this.list()) {
      const path = join(this.#options.directory, record.file)
      const text = readFileSync(path, 'utf8')
      if (!finder.isIn(text)) continue
      let places = 0
      const result = finder.replaceInJson(parseJson(text), (leak) => {
        places += 1
        return this.#options.redactor.redactText(leak)
      })
      if (places === 0) continue
      const hidden = recordSuite(result as unknown as SuiteResult)
      writeAtomically(path, serialiseSuite(hidden))
      record.figures = takeFigures(hidden)
      files.push(record.file)
    }
    return files
  }

  /** In an order that does not depend on which suite ended first: by file path, then project, then place in the file. */
  list(): SuiteRecord[] {
    const modules = [...this.#byModule].toSorted(([a], [b]) => compare(a, b))
    return modules
      .flatMap(([, records]) => records)
      .sort((a, b) => compare(a.figures.file_path, b.figures.file_path))
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
