import type { SuiteProblem } from './suite-exports.ts'

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
