import { drawCodeFrame } from '../code-frame.ts'
import { SuiteError, type LocatedProblem, type Problem } from '../errors.ts'
import { findWritten, indexLines, positionAt, showWritten } from '../source.ts'
import type { LineIndex, SourceFile } from '../source.ts'
import { cut } from '../text/show-value.ts'
import type { PlanWarning } from './plan/plan.ts'

/** Maximum characters of a message, so that it stays readable whatever it quotes. */
const MAX_MESSAGE = 800

/** Adds locations and code frames to the problems of a file. */
export function locateProblems(source: SourceFile, problems: readonly Problem[]): LocatedProblem[] {
  const own = indexLines(source.text)
  return sortProblems(problems).map((problem) => {
    const written = findWritten(problem.range, source)
    const { path, text } = written.source
    const lines = written.source === source ? own : indexLines(text)
    return Object.assign({}, problem, {
      message: cut(problem.message, MAX_MESSAGE),
      file: path,
      at: positionAt(lines, written.range[0]),
      written,
      frame: drawCodeFrame(text, written.range, lines),
    })
  })
}

/** Sorts problems by their place in the file; drops repetitions from several aliases of one anchor. */
export function sortProblems(problems: readonly Problem[]): Problem[] {
  const seen = new Set<string>()
  return problems
    .toSorted((a, b) => a.range[0] - b.range[0])
    .filter(({ range, code, message }) => {
      const key = `${range[0]}:${range[2] && showWritten(range[2])}:${code}:${message.replaceAll(/\[\d+\]/g, '[]')}`
      return !seen.has(key) && seen.add(key)
    })
}

/** Creates the error that prints the problems of a file with their code frames. */
export function createSuiteError(source: SourceFile, problems: readonly Problem[]): SuiteError {
  return new SuiteError(source.path, locateProblems(source, problems))
}

export function toWarning(problem: Problem, lines: LineIndex): PlanWarning {
  const [line, column] = positionAt(lines, problem.range[0])
  const hint = problem.hint ? ` ${problem.hint}` : ''
  const written = problem.range[2] ? ` (${showWritten(problem.range[2])})` : ''
  return { message: `${problem.message}${written}${hint}`, line, column, problem }
}
