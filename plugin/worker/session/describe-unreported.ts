import { rerunCommand } from '../../../src/report/rerun-command.ts'
import { showExchange } from '../../../src/report/show-exchange.ts'
import type { StepOutcome } from '../../../src/run/step-outcome.ts'
import type { Redactor } from '../../../src/secrets/redactor.ts'
import type { StepPlan, SuitePlan } from '../../../src/suite/plan/plan.ts'
import type { SuiteProblem } from '../../contract/suite-exports.ts'

/** What may be the cause of a failure where a filter chose the steps. */
export function describeLeftOut(count: number): string {
  return `Steps that were left out before it: ${count}. If it depends on one, \`prerequisites: 'all'\` runs them.`
}

/** Failures of a step that ran without being a test of this run, told as one: they must not go unnoticed. */
export function describeUnreported(
  { file }: SuitePlan,
  { name, at: [line], phase }: StepPlan,
  { outcomes, leftOut, redactor }: { outcomes: readonly StepOutcome[]; leftOut: number; redactor: Redactor },
): SuiteProblem[] {
  const [which, why] =
    phase === 'teardown'
      ? ['The teardown step', 'which ran after the others']
      : ['The step', 'which ran because another needs it']
  return outcomes.flatMap((outcome) => {
    const [first, ...others] = outcome.failures
    if (!first) return []
    const exchange = showExchange(outcome, redactor)
    const message = [
      `${which} “${name}” (line ${line}), ${why}, failed: ${first.message}`,
      ...others.map(({ message, at }) => `  ${at.join(':')}: ${message}`),
      '',
      ...(exchange === undefined ? [] : [exchange, '']),
      `  ${rerunCommand(file, line)}`,
      ...(leftOut > 0 ? [`  ${describeLeftOut(leftOut)}`] : []),
    ].join('\n')
    return [{ message, at: first.at }]
  })
}
