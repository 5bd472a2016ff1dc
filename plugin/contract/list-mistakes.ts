import { dirname, relative, resolve } from 'node:path'
import { MAX_PRINTED, stateProblem, type SuiteError } from '../../src/errors.ts'
import type { SuiteProblem } from './suite-exports.ts'

/** What keeps the suite at a path from running, each mistake with its place; more than 50 are counted, not listed. */
export function listMistakes({ file, problems }: SuiteError, path: string): SuiteProblem[] {
  const errors = problems.filter(({ severity }) => severity === 'error')
  const mistakes = errors.slice(0, MAX_PRINTED).map((problem): SuiteProblem => {
    const { line, column, file: other } = problem.location
    return {
      message: stateProblem(problem),
      at: [line, column],
      ...(other !== file && { file: resolve(dirname(path), relative(dirname(file), other)) }),
    }
  })
  const last = mistakes.at(-1)
  if (last && errors.length > mistakes.length)
    last.message += `\n… and ${errors.length - mistakes.length} more problems in this file.`
  return mistakes
}
