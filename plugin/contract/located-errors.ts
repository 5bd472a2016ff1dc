import { MAX_PRINTED, stateProblem, type SuiteError } from '../../src/errors.ts'
import type { SuiteProblem } from './suite-exports.ts'

/** One error of which each part points at its line: Vitest prints the file around it, and CI annotates it. */
export function createErrors(problems: readonly SuiteProblem[], path: string): AggregateError {
  return new AggregateError(
    problems.map(({ message, at: [line, column] }) => {
      const error = new Error(message)
      error.stack = `${error.name}: ${message}\n    at ${path}:${line}:${column}`
      return error
    }),
  )
}

/** What keeps a suite from running, each mistake with its place; more than 50 are counted, not listed. */
export function listMistakes({ problems }: SuiteError): SuiteProblem[] {
  const errors = problems.filter(({ severity }) => severity === 'error')
  const mistakes = errors.slice(0, MAX_PRINTED).map((problem): SuiteProblem => {
    const { line, column } = problem.location
    return { message: stateProblem(problem), at: [line, column] }
  })
  const last = mistakes.at(-1)
  if (last && errors.length > mistakes.length)
    last.message += `\n… and ${errors.length - mistakes.length} more problems in this file.`
  return mistakes
}
