import { readFileSync } from 'node:fs'
import { parseJson } from '../../json.ts'
import type { SuiteResult } from '../../run/result.ts'
import { stringifySafely } from '../../safe-json.ts'
import type { RecordedSuite } from '../step-record.ts'

/** Serialises a suite result as JSON indented by two spaces, without parsing the texts of its steps. */
export function serialiseSuite(suite: RecordedSuite): string {
  const steps = suite.steps_results.map(({ text }) => `\n    ${text}`)
  const list = steps.length === 0 ? '[]' : `[${steps.join(',')}\n  ]`
  // Line feeds in values are escaped, so this is found only once.
  const place = '\n  "steps_results": '
  const text = stringifySafely({ ...suite, steps_results: [] }, 2)
  return `${text.replace(`${place}[]`, () => place + list)}\n`
}

/** Reads a suite result written by `serialiseSuite`. */
export function readSuiteFile(path: string): SuiteResult {
  return parseJson(readFileSync(path, 'utf8')) as unknown as SuiteResult
}

/** Replaces every known secret in data on its way into a file. */
export type Hide = <Value>(value: Value) => Value
