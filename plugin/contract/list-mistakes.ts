import { MAX_PRINTED, stateProblem, type SuiteError } from '../../src/errors.ts'
import type { SuiteProblem } from './suite-exports.ts'

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
