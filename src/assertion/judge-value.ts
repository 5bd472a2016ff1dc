import type { Json } from '../json.ts'
import type { Check } from './check.ts'
import { fail, type Judgement, type Operator, type Verdict } from './operator.ts'
import { showValue, typeOf } from './show-value.ts'

/** An operator with everything it is applied to. */
export type Application = {
  check: Check
  operator: Operator
  actual: Json
  operand: Json
  judgement: Judgement
}

/** Applies an operator to a value if it works on that type; another type is a failure that says so. */
export function judgeValue({ check, operator, actual, operand, judgement }: Application): Verdict {
  if (operator.takes.includes(typeOf(actual))) return operator.judge(actual, operand, judgement)
  const types = operator.takes.join(', ').replace(/, (\w+)$/, ' or $1')
  return fail(
    `The \`${check.operator}\` check of \`${judgement.field}\` works on ${types}, got ${showValue(actual)}`,
  )
}
