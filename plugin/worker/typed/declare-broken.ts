import { dirname, relative, resolve } from 'node:path'
import { afterAll, beforeAll, test } from 'vitest'
import { stateProblem, type SuiteError } from '../../../src/errors.ts'
import { escapeControl } from '../../../src/escape-control.ts'
import { isJsonObject } from '../../../src/json.ts'
import { defaultNodeId } from '../../../src/suite/suite-index.ts'
import { readTimestamp } from '../../../src/timestamp.ts'
import type { SuiteMeta } from '../../contract/meta.ts'
import type { SuiteProblem } from '../../contract/suite-exports.ts'
import type { Definition } from './load-definition.ts'

/** Name of a suite whose author gave it none. */
export const UNNAMED = 'A suite without a name'

/**
 * Declares the steps of a definition that could not be loaded: none of them runs, the error is reported once, and the
 * other suites and tests of the file are not affected.
 */
export function declareBroken({ call, value }: Definition, error: SuiteError): void {
  const { path } = call.file
  const { suite_name, node_id, steps } = value
  const mistakes = error.problems.filter(({ severity }) => severity === 'error')
  const refusal = createErrors(
    mistakes.map((problem) => {
      const { line, column, file } = problem.location
      // It may be in a file that suites share, or in the module of `extend`.
      const own = resolve(dirname(path), relative(dirname(error.file), file))
      return { message: stateProblem(problem), at: [line, column], file: own }
    }),
    path,
  )
  beforeAll(() => {
    throw refusal
  })
  const listed = Array.isArray(steps) && steps.length > 0 ? steps : [null]
  for (const [index, step] of listed.entries()) {
    const name = isJsonObject(step) && typeof step['name'] === 'string' ? escapeControl(step['name']) : ''
    // oxlint-disable-next-line vitest/valid-title, vitest/expect-expect -- never run: the hook above fails first
    test(name || `Step ${index + 1}`, () => {
      throw refusal
    })
  }
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads the fixtures a hook uses from this pattern
  afterAll(({}, { meta }) => {
    meta.suitecase = {
      kind: 'suite',
      node_id: typeof node_id === 'string' ? node_id : defaultNodeId(path),
      suite_name: typeof suite_name === 'string' ? suite_name : UNNAMED,
      file_path: error.file,
      priority: 'medium',
      tags: [],
      start_time: readTimestamp(),
      error_message: error.message,
    } satisfies SuiteMeta
  })
}

/** One error of which each part points at its line: Vitest prints the file around it, and CI annotates it. */
export function createErrors(problems: readonly SuiteProblem[], path: string): AggregateError {
  return new AggregateError(
    problems.map(({ message, file = path, at: [line, column] }) => {
      const error = new Error(message)
      error.stack = `${error.name}: ${message}\n    at ${file}:${line}:${column}`
      return error
    }),
  )
}
