import type { Check } from '../../assertion/check.ts'
import type { StepPlan } from '../plan/plan.ts'

/** The checks of a step, of the branches of its scenarios, and of what its WebSocket expects. */
export function listAllChecks({ checks, scenarios, websocket }: StepPlan): Check[] {
  const branches = scenarios.flatMap(({ then, otherwise }) => [then, otherwise])
  const expected = (websocket?.exchange ?? []).map((item) => (item.kind === 'expect' ? item.checks : []))
  return [checks, ...branches.map((branch) => branch?.checks ?? []), ...expected].flat()
}
