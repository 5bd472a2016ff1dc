import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseJson } from '../../../src/json.ts'
import { buildSuiteResult, redactSuite } from '../../../src/report/build-suite-result.ts'
import { createFileNames } from '../../../src/report/files/name-file.ts'
import type { Manifest } from '../../../src/report/files/manifest.ts'
import { serialiseSuite } from '../../../src/report/files/serialise-suite.ts'
import { writeAtomically } from '../../../src/report/files/write-atomically.ts'
import { takeFigures } from '../../../src/report/performance/take-figures.ts'
import type { SuiteFigures } from '../../../src/report/performance/performance-report.ts'
import type { LeakFinder } from '../../../src/secrets/find-leaks.ts'
import type { SuiteResult } from '../../../src/run/result.ts'
import type { Redactor } from '../../../src/secrets/redactor.ts'
import type { NamedRun } from './read-module.ts'

/** What stays in memory of a suite once its file is written. */
export type SuiteRecord = {
  key: string
  /** Relative to the report directory, with forward slashes. */
  file: string
  /** Place among the suites of its file. */
  index: number
  figures: SuiteFigures
  /** Start of the run it ran in, in ms: in watch mode that of its last one. */
  runStart: number
}

export type RecordOptions = {
  directory: string
  manifest: Manifest
  redactor: Redactor
  /** When the run started, UTC, ISO 8601. */
  readStart: () => string
}

/** The suites of a session: written when they end, replaced when they run again in watch mode. */
export type SuiteRecords = {
  /** Writes the suites of one module in place of those it had before. */
  replace: (module: string, runs: readonly NamedRun[]) => Promise<void>
  /** Forgets the suites of a file, in whatever project. */
  removeFile: (path: string) => void
  has: (module: string) => boolean
  /** Hides what became known as secret after a file was written: another suite can have captured it later. Gives the files that were written anew. */
  hideLate: (finder: LeakFinder) => Promise<string[]>
  /** In an order that does not depend on which suite ended first: by file path, then place in the file. */
  list: () => SuiteRecord[]
}

/** Starts with no suites; files are named after node ids. */
export function createSuiteRecords(options: RecordOptions): SuiteRecords {
  const { directory, manifest, redactor, readStart } = options
  const byModule = new Map<string, SuiteRecord[]>()
  const nameFor = createFileNames()

  async function write({ key, fileName, run }: NamedRun, index: number): Promise<SuiteRecord> {
    // Its worker has redacted the rest, with all that it knew.
    const result = buildSuiteResult({ ...redactSuite(run, redactor), run_start: readStart() })
    const file = `suites/${nameFor(key, redactor.redactText(fileName))}.json`
    manifest.add(file)
    await writeAtomically(join(directory, file), serialiseSuite(result))
    const runStart = Date.parse(readStart())
    return { key, file, index, figures: takeFigures(result), runStart }
  }

  async function redactAgain(record: SuiteRecord, finder: LeakFinder): Promise<boolean> {
    const path = join(directory, record.file)
    // Nothing else is left to do but to look through all files, and a thousand small ones are read faster so.
    const text = readFileSync(path, 'utf8')
    if (!finder.isIn(text)) return false
    const result = parseJson(text)
    if (finder.findInJson(result).length === 0) return false
    const hidden = finder.hideInJson(result, redactor.redactText) as unknown as SuiteResult
    await writeAtomically(path, serialiseSuite(hidden))
    record.figures = takeFigures(hidden)
    return true
  }

  return {
    async replace(module, runs) {
      const records: SuiteRecord[] = []
      for (const [index, run] of runs.entries()) records.push(await write(run, index))
      byModule.set(module, records)
    },
    removeFile(path) {
      for (const module of byModule.keys()) if (module.endsWith(`\0${path}`)) byModule.delete(module)
    },
    has: (module) => byModule.has(module),
    async hideLate(finder) {
      const files: string[] = []
      for (const record of [...byModule.values()].flat())
        if (await redactAgain(record, finder)) files.push(record.file)
      return files
    },
    list: () => [...byModule.values()].flat().sort(compareRecords),
  }
}

function compareRecords(a: SuiteRecord, b: SuiteRecord): number {
  const [left, right] = [a.figures.file_path, b.figures.file_path]
  return left < right ? -1 : left > right ? 1 : a.index - b.index || (a.key < b.key ? -1 : 1)
}
