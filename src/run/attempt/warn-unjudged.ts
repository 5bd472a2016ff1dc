import { matchesStatus } from '../../assertion/operators/status.ts'
import type { ResponseContext } from '../../assertion/response-context.ts'
import { warnAt, type ResultWarning } from '../../problem.ts'
import type { ScenariosMeta } from '../../scenario/scenarios-meta.ts'
import type { Branch } from '../../scenario/scenario.ts'
import type { StepPlan } from '../../suite/plan/plan.ts'
import type { SuiteRun } from '../suite-run.ts'

type Judged = { branches: readonly Branch[]; response: ResponseContext; meta: ScenariosMeta | undefined }

/** Warns of a step that passed because nothing looked at its answer: no scenario matched, or a server error that no check asks about. */
export function warnUnjudged(
  { plan: { rules }, environment: { settings } }: SuiteRun,
  step: StepPlan,
  { branches, response, meta }: Judged,
): ResultWarning[] {
  const checks = [...step.checks, ...branches.flatMap((branch) => branch.checks)]
  const warnings: ResultWarning[] = []
  if (step.scenarios.length > 0 && branches.length === 0 && checks.length === 0) {
    const asked = step.scenarios.map(({ condition }) => `\`${condition}\``).join(', ')
    const rule = 'Give it an `assert`, or the last scenario an `else`.'
    const what = `none of the scenarios matched (${asked}), and the step has no check of its own`
    warnings.push(warnAt(step.at, `Nothing was checked: ${what}. ${rule}`))
  }
  const isAsked =
    checks.some(({ target, expected }) =>
      target === 'custom'
        ? (expected as string).includes('status_code')
        : target === 'status_code' || target === 'responses',
    ) || meta?.evaluations.some(({ matched, condition }) => matched && condition.includes('status_code'))
  // It is repeated, and fails the step in the end.
  const { on, until } = step.retry ?? settings.retry ?? {}
  const failsInTheEnd = until === undefined && !step.burst && !rules.endsRetry
  const isRepeated =
    failsInTheEnd && Array.isArray(on) && on.some((status) => matchesStatus(response.status_code, status))
  // A called step has said so itself.
  if (step.request && response.status_code >= 500 && !isAsked && !isRepeated)
    warnings.push(
      warnAt(
        step.at,
        `The answer was ${response.status_code}, and no check looks at the status. Write \`status_code: ${response.status_code}\` if that is right, else the status it must have.`,
      ),
    )
  return warnings
}
