import { unwrapExpression } from '../assertion/parse/parse-custom.ts'
import type { ProblemText } from '../errors.ts'
import { explainBadCondition } from '../interpolation/explain-bad-condition.ts'
import { compilePath } from '../path/compile-path.ts'
import { describePathError } from '../path/scan-path.ts'
import { findUnknownRoot, pathRoots, type ExchangeKind } from '../path/exchange-fields.ts'
import { findInScope, readSegments, type PathNode } from '../path/path-node.ts'
import { showValue, typeOf } from '../text/show-value.ts'

/** Says why a condition can never be evaluated, or would never match: wrong syntax, or a name that a response does not have. */
export function findConditionProblem(
  condition: string,
  language: 'jmespath' | 'js',
  kind: ExchangeKind | undefined,
): ProblemText | undefined {
  if (language === 'js') return explainBadCondition(unwrapExpression(condition))
  const compiled = compilePath(condition)
  if ('message' in compiled) return describePathError(condition, 'condition', compiled)
  const unknown = findUnknownRoot(compiled, pathRoots, kind) ?? findInScope(compiled.node, findImpossible)
  return unknown && { code: 'bad-path', severity: 'doubt', ...unknown }
}

const NUMBERS: ReadonlySet<string> = new Set(['status_code', 'response_time_ms', 'duration_ms', 'size_bytes'])

/** A comparison for equality with a literal of a type that the value never has. */
function findImpossible(node: PathNode): { message: string; hint: string } | undefined {
  if (node.type !== 'Comparator' || (node.name !== 'EQ' && node.name !== 'NE')) return undefined
  return compareTypes(node.left, node.right) ?? compareTypes(node.right, node.left)
}

function compareTypes(value: PathNode, literal: PathNode): { message: string; hint: string } | undefined {
  const path = readSegments(value)
  if (!path || literal.type !== 'Literal' || literal.value === null) return undefined
  const [root, member] = path
  const isNumber = path.length === 1 && NUMBERS.has(String(root))
  const type = isNumber ? 'number' : 'string'
  if ((!isNumber && (root !== 'headers' || member === undefined)) || typeOf(literal.value) === type)
    return undefined
  return {
    message: `\`${path.join('.')}\` is always a ${type}, so it never equals ${showValue(literal.value)}.`,
    hint: isNumber
      ? 'Write a number without quotes, for example `status_code == 200`.'
      : `Write text in single quotes, for example \`${path.join('.')} == '5'\`.`,
  }
}
