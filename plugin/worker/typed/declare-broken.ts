import { dirname, relative, resolve } from 'node:path'
import { afterAll, beforeAll, test } from 'vitest'
import { MAX_PRINTED, stateProblem, type SuiteError } from '../../../src/errors.ts'
import { escapeControl } from '../../../src/escape-control.ts'
import { isJsonObject, type Json } from '../../../src/json.ts'
import { readTimestamp } from '../../../src/timestamp.ts'
import type { SuiteMeta } from '../../contract/meta.ts'
import type { Definition } from './load-definition.ts'
import type { SuiteProblem } from '../../contract/suite-exports.ts'

/** Name of a suite whose author gave it none. */
export const UNNAMED = 'A suite without a name'

/**
 * Declares the steps of a definition that could not be loaded: none of them runs, the error is reported once, and the
 * other suites and tests of the file are not affected.
 */
export function declareBroken({ call, value, nodeId }: Definition, error: SuiteError): void {
  const { suite_name, node_id, steps } = value
  const refusal = createErrors(listMistakes(error, call.path), call.path)
  beforeAll(() => {
    throw refusal
  })
  for (const name of nameSteps(Array.isArray(steps) ? steps : []))
    // oxlint-disable-next-line vitest/valid-title, vitest/expect-expect -- never run: the hook above fails first
    test(name, () => {
      throw refusal
    })
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads the fixtures a hook uses from this pattern
  afterAll(({}, { meta }) => {
    meta.suitecase = {
      kind: 'suite',
      node_id: typeof node_id === 'string' ? node_id : nodeId,
      suite_name: typeof suite_name === 'string' ? suite_name : UNNAMED,
      file_path: error.file,
      priority: 'medium',
      tags: [],
      start_time: readTimestamp(),
      error_message: error.message,
    } satisfies SuiteMeta
  })
}

function nameSteps(steps: readonly Json[]): string[] {
  return (steps.length > 0 ? steps : [null]).map((step, index) => {
    const name = isJsonObject(step) ? step['name'] : undefined
    return typeof name === 'string' && name !== '' ? escapeControl(name) : `Step ${index + 1}`
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

/** What keeps the suite at a path from running, each mistake with its place; more than 50 are counted, not listed. */
function listMistakes({ file, problems }: SuiteError, path: string): SuiteProblem[] {
  const errors = problems.filter(({ severity }) => severity === 'error')
  const mistakes = errors.slice(0, MAX_PRINTED).map((problem): SuiteProblem => {
    const { line, column, file: other } = problem.location
    const place = other === file ? path : resolve(dirname(path), relative(dirname(file), other))
    return { message: stateProblem(problem), at: [line, column], file: place }
  })
  const last = mistakes.at(-1)
  if (last && errors.length > mistakes.length)
    last.message += `\n… and ${errors.length - mistakes.length} more problems in this file.`
  return mistakes
}
