import { readFileSync } from 'node:fs'
import { parseJson } from '../../json.ts'
import type { SuiteResult } from '../../run/result.ts'
import { stringifySafely } from '../../safe-json.ts'

/** Serialises a suite result step by step, as JSON indented by two spaces: memory does not grow with the number of steps. */
export function* serialiseSuite(suite: SuiteResult): Generator<string> {
  let separator = '{\n'
  for (const [name, value] of Object.entries(suite)) {
    yield `${separator}  ${JSON.stringify(name)}: `
    separator = ',\n'
    if (name === 'steps_results') yield* serialiseList(value as unknown[])
    // A line feed in serialised JSON is always layout: those in strings are escaped.
    else yield stringifySafely(value, 2).replaceAll('\n', '\n  ')
  }
  yield '\n}\n'
}

function* serialiseList(items: readonly unknown[]): Generator<string> {
  let separator = '['
  for (const item of items) {
    // As deep as in the file, so that it comes indented; without the brackets around it.
    yield separator + stringifySafely([[item]], 2).slice('[\n  ['.length, -'\n  ]\n]'.length)
    separator = ','
  }
  yield items.length === 0 ? '[]' : '\n  ]'
}

/** Reads a suite result that was serialised so. */
export function readSuite(path: string): SuiteResult {
  return parseJson(readFileSync(path, 'utf8')) as unknown as SuiteResult
}
