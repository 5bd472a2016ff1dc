import { readFileSync } from 'node:fs'
import { parseJson } from '../../json.ts'
import type { SuiteResult } from '../../run/result.ts'
import { stringifySafely } from '../../safe-json.ts'
import type { RecordedSuite, StepRecord } from '../step-record.ts'

/** Serialises a suite result step by step, as JSON indented by two spaces, without building the whole text in memory. */
export function* serialiseSuite(suite: RecordedSuite): Generator<string> {
  let separator = '{\n'
  for (const [name, value] of Object.entries(suite)) {
    yield `${separator}  ${JSON.stringify(name)}: `
    separator = ',\n'
    if (name === 'steps_results') yield* serialiseSteps(value as readonly StepRecord[])
    // A line feed in serialised JSON is always indentation: those in strings are escaped.
    else yield stringifySafely(value, 2).replaceAll('\n', '\n  ')
  }
  yield '\n}\n'
}

function* serialiseSteps(steps: readonly StepRecord[]): Generator<string> {
  let separator = '['
  for (const { text } of steps) {
    yield `${separator}\n    ${text}`
    separator = ','
  }
  yield steps.length === 0 ? '[]' : '\n  ]'
}

/** Reads a suite result written by `serialiseSuite`. */
export function readSuiteFile(path: string): SuiteResult {
  return parseJson(readFileSync(path, 'utf8')) as unknown as SuiteResult
}

/** Replaces every known secret in data on its way into a file. */
export type Hide = <Value>(value: Value) => Value
