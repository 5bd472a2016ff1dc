import { rememberTexts } from '../../remember.ts'
import type { ExpressionEngine } from '../variables/scope.ts'
import { EngineError } from '../errors.ts'
import { runBounded } from './bounded-run.ts'
import { cut } from '../../text/show-value.ts'

/** A match that may take more steps than this runs with a time limit. */
const untimedSteps = 1e6

/** Creates a function that tests patterns of any kind. It stops after `timeout` ms. */
export function createPatternTest(timeout: number): ExpressionEngine['test'] {
  return (pattern, subject) => {
    const { regex, degree } = compilePattern(`${pattern.flags ?? ''}/${pattern.source}`)
    regex.lastIndex = 0
    const steps = degree === undefined ? Infinity : (subject.length + 2) ** degree * pattern.source.length
    if (steps <= untimedSteps) return regex.test(subject)
    const result = runBounded(timeout, () => regex.test(subject))
    if (result) return result.value
    const message = `The pattern \`${cut(pattern.source, 200)}\` ran longer than ${timeout} ms (option \`limits.expression\`)`
    throw new EngineError('timeout', message)
  }
}

/** Compiles a pattern, written as its flags, a slash and its source. */
const compilePattern = rememberTexts(1000, (written) => {
  const [flags = ''] = written.split('/', 1)
  const source = written.slice(flags.length + 1)
  try {
    return { regex: new RegExp(source, flags), degree: estimatePatternDegree(source, flags) }
  } catch (error) {
    const { message } = error as SyntaxError
    throw new EngineError('syntax', `Expected a regular expression, got \`${cut(source, 200)}\`: ${message}`)
  }
})

/** Bounds backtracking by the length of the text to the returned power. Undefined if it may be exponential: groups repeat, refer or look around. */
export function estimatePatternDegree(source: string, flags = ''): number | undefined {
  // With the flag `v`, classes nest.
  if (flags.includes('v')) return undefined
  const plain = source.replace(/\\[^1-9k]|\[(?:\\[^]|[^\]\\])*\]/gu, 'a')
  if (/\\|\)[*+?{]|\(\?(?!:)/u.test(plain)) return undefined
  // `{8}` leaves no choice, so it never backtracks. The `?` after a quantifier is no choice of its own.
  const choices = plain.replace(/\(\?:|\{\d+\}\??/gu, '').match(/[*+?]\??|\{\d+,\d*\}\??|\|/gu)?.length ?? 0
  return choices + 1
}
