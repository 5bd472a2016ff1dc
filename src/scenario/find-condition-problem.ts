import { unwrapExpression } from '../assertion/parse/parse-custom.ts'
import type { AssertionOptions } from '../assertion/parse/parse-state.ts'
import { compilePath } from '../path/compile-path.ts'
import { findUnknownRoot, pathRoots } from '../path/path-roots.ts'
import type { Problem } from '../problem.ts'

type Found = Pick<Problem, 'code' | 'message' | 'hint' | 'severity'>

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
  const unknown = findUnknownRoot(compiled, pathRoots)
  return unknown && { code: 'bad-path', ...(options.compat && { severity: 'warning' as const }), ...unknown }
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
