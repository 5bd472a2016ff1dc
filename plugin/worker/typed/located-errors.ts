import { dirname, relative, resolve } from 'node:path'
import { MAX_PRINTED, stateProblem, type SuiteError } from '../../../src/errors.ts'
import type { SuiteProblem } from '../../contract/suite-exports.ts'

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
export function listMistakes({ file, problems }: SuiteError, path: string): SuiteProblem[] {
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
