import { unwrapExpression } from '../assertion/parse-custom.ts'
import type { AssertionOptions } from '../assertion/parse-state.ts'
import { didYouMean } from '../assertion/suggest-name.ts'
import { compilePath } from '../capture/compile-path.ts'
import type { Problem } from '../problem.ts'

const ROOTS = [
  'status_code',
  'headers',
  'body',
  'response_time_ms',
  'duration_ms',
  'size_bytes',
  'request',
  'variables',
]

type Found = Pick<Problem, 'code' | 'message' | 'hint'>

/** Says why a condition can never be evaluated, or would never match: wrong syntax, or a name that a response does not have. */
export function findConditionProblem(
  condition: string,
  kind: 'jmespath' | 'js',
  options: AssertionOptions,
): Found | undefined {
  if (kind === 'js') return findScriptProblem(unwrapExpression(condition), options)
  const compiled = compilePath(condition)
  if ('message' in compiled)
    return {
      code: 'bad-path',
      message: `\`${condition}\` is no JMESPath condition: at character ${compiled.offset + 1}, ${compiled.message}.`,
      ...(compiled.hint && { hint: compiled.hint }),
    }
  const unknown = compiled.rootPaths.find(([root]) => !ROOTS.includes(String(root)))?.[0]
  if (unknown === undefined || options.compat) return undefined
  return {
    code: 'bad-path',
    message: `\`${condition}\` reads \`${unknown}\`, which a response does not have${didYouMean(String(unknown), ROOTS)}.`,
    hint: `A condition reads ${ROOTS.join(', ')}; text stands in single quotes.`,
  }
}

function findScriptProblem(source: string, options: AssertionOptions): Found | undefined {
  const problem = options.validateExpression?.(source)
  return (
    problem && {
      code: 'bad-expression',
      message: `The condition does not parse at character ${problem.offset + 1}: ${problem.message}`,
    }
  )
}
