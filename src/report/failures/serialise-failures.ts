import { readFile } from 'node:fs/promises'
import { parseJson } from '../../json.ts'
import type { SuiteResult } from '../../run/result.ts'
import { stringifySafely } from '../../safe-json.ts'
import { listFailures } from './list-failures.ts'

/** Serialises what failed in a run, suite by suite, from the result files of the suites that failed. */
export async function* serialiseFailures(
  suiteFiles: readonly string[],
  errors: readonly string[],
): AsyncGenerator<string> {
  yield '{\n  "version": 1,\n  "failures": ['
  let separator = ''
  for (const file of suiteFiles) {
    const suite = parseJson(await readFile(file, 'utf8')) as unknown as SuiteResult
    for (const failure of listFailures(suite)) {
      yield `${separator}\n    ${stringifySafely(failure, 2).replaceAll('\n', '\n    ')}`
      separator = ','
    }
  }
  yield `${separator && '\n  '}],\n  "errors": ${JSON.stringify(errors)}\n}\n`
}
