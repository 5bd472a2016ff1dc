import type { Json } from '../../json.ts'
import type { CheckTools } from '../check-tools.ts'
import type { Check } from '../check.ts'
import { formatFieldPath } from '../../path/field-path.ts'
import { findInside, type Actual } from './find-value.ts'
import { findOperand, type Operand } from './find-operand.ts'
import { judgeHeader, judgeValue } from './judge-value.ts'
import { fail, PASSED, type Judgement, type Operator, type Verdict } from '../operators/operator.ts'
import { operators } from '../operators/operators.ts'
import { statusOperators } from '../operators/status.ts'

/** State shared by the checks of one response: operands are filled in once, also inside `each`. */
export type Run = { tools: CheckTools; operands: Map<Check, Operand> }

/** The operator of a check as its target has it. */
export function findOperator({ target, operator }: Check): Operator {
  const found = (target === 'status_code' ? statusOperators : operators)[operator]
  if (found === undefined) throw new Error(`There is no check \`${operator}\` for \`${target}\`.`)
  return found
}

/** The operand of a check, filled in at its first use. */
export function readOperand(check: Check, run: Run): Operand {
  const known = run.operands.get(check)
  if (known) return known
  const operand = findOperand(check, findOperator(check), run.tools)
  run.operands.set(check, operand)
  return operand
}

/** Judges one check on what was found; failures are verdicts, also those of tools that threw. */
export function judgeCheck(run: Run, check: Check, subject: { field: string; actual: Actual }): Verdict {
  const { field, actual } = subject
  const operand = readOperand(check, run)
  if (!operand.usable) return fail(`The \`${check.operator}\` check of \`${field}\` ${operand.message}`)
  if (!actual.found)
    return check.operator === 'exists' && operand.value === false && actual.certain
      ? PASSED
      : fail(actual.message)
  const judgement: Judgement = {
    field,
    tools: run.tools,
    checks: check.checks ?? [],
    judgeNested: (nested, element, place) => judgeElement(run, nested, { element, place }),
  }
  const judge = check.target === 'headers' ? judgeHeader : judgeValue
  try {
    return judge({
      check,
      operator: findOperator(check),
      actual: actual.value,
      operand: operand.value,
      judgement,
    })
  } catch (error) {
    return fail(
      `The \`${check.operator}\` check of \`${field}\` could not be made: ${(error as Error).message}`,
    )
  }
}

function judgeElement(run: Run, check: Check, { element, place }: { element: Json; place: string }): Verdict {
  const verdict = judgeCheck(run, check, {
    field: formatFieldPath(check.path, place),
    actual: findInside(place, check.path, element),
  })
  return verdict.passed ? verdict : { ...verdict, at: verdict.at ?? check.at }
}
