import { readSuite } from '../files/serialise-suite.ts'
import type { SuiteFigures } from '../performance/performance-report.ts'
import { stringifySafely } from '../../safe-json.ts'
import { makeHarEntries } from './make-har-entry.ts'

export type HarSource = {
  suites: readonly SuiteFigures[]
  /** Paths of their result files, in the same order. */ suiteFiles: readonly string[]
}

/** Serialises a run as HAR 1.2, step by step: a page per suite, an entry per step that sent a request (its last attempt; of a burst all its answers). */
export function* serialiseHar({ suites, suiteFiles }: HarSource): Generator<string> {
  const pages = suites.map((suite, number) => ({
    startedDateTime: new Date(suite.start).toISOString(),
    id: `suite-${number + 1}`,
    title: suite.suite_name,
    pageTimings: {},
  }))
  yield `{"log":{"version":"1.2","creator":{"name":"suitecase","version":"1"},"pages":${stringifySafely(pages)},"entries":[`
  let separator = '\n'
  for (const [number, path] of suiteFiles.entries()) {
    for (const step of readSuite(path).steps_results) {
      for (const entry of makeHarEntries(step, `suite-${number + 1}`)) {
        yield separator + stringifySafely(entry)
        separator = ',\n'
      }
    }
  }
  yield '\n]}}\n'
}
