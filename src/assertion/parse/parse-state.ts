import type { Json } from '../../json.ts'
import type { Locate, NodePath } from '../../problem.ts'
import type { Check, CheckTarget } from '../check.ts'
import type { PathStep } from '../../path/field-path.ts'
import type { Operator } from '../operators/operator.ts'
import { report, type Reporting } from './report-problem.ts'
import { showValue } from '../../text/show-value.ts'

/** Options of parsing assertions. */
export type AssertionOptions = Reporting['options'] & {
  /** Says why a JavaScript condition does not parse; `offset` counts from its start. */
  validateExpression?: (source: string) => { message: string; offset: number } | undefined
}

/** What parsing one assertion tree gathers. */
export type ParseState = Reporting & {
  checks: Check[]
  /** Where each check is written. */
  places: Map<Check, NodePath>
  locate: Locate
  options: AssertionOptions
}

/** The value that the checks of a node are about. */
export type Subject = {
  target: CheckTarget
  path: readonly PathStep[]
  /** As reported. */
  field: string
}

/** Adds a check when its operand can be used; an operand that is one text with `{{…}}` is judged at run time. */
export function addCheck(
  state: ParseState,
  subject: Subject,
  check: { name: string; operator: Operator; operand: Json; at: NodePath; checks?: Check[] },
): void {
  const { name, operator, operand, at } = check
  const wanted = isTemplate(operand, name) ? undefined : operator.explainBadOperand(operand)
  if (wanted !== undefined) {
    const code = name === 'pattern' || name === 'regex' ? 'bad-pattern' : 'bad-check'
    const message = `Expected the \`${name}\` check of \`${subject.field}\` to have ${wanted}, got ${showValue(operand)}.`
    return report(state, at, { code, message })
  }
  if ((name === 'exists' || name === 'optional') && subject.path.some((step) => typeof step === 'object'))
    return report(state, at, {
      code: 'bad-check',
      message: `\`${name}\` of \`${subject.field}\` would be about one value, but this path leads to many.`,
      hint: 'Write it below `each`, `some` or `none` of the list.',
    })
  if (name === 'snapshot' && state.options.kind === 'burst')
    return report(state, at, {
      code: 'bad-check',
      message: `\`snapshot\` of \`${subject.field}\` would be about one answer, but a burst has many.`,
      hint: 'Take the snapshot in a step of its own.',
    })
  const parsed: Check = {
    target: subject.target,
    field: subject.field,
    path: subject.path,
    operator: name,
    expected: operand,
    ...(check.checks && { checks: check.checks }),
    at: state.locate(at),
  }
  state.checks.push(parsed)
  state.places.set(parsed, at)
}

function isTemplate(operand: Json, name: string): boolean {
  return typeof operand === 'string' && operand.includes('{{') && name !== 'schema'
}
