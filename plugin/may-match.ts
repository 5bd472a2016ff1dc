import { escapeControl } from '../src/escape-control.ts'
import { hasTemplate } from '../src/interpolation/template.ts'
import { listSteps, type SuitePlan } from '../src/suite/plan.ts'

/** Whether a test name pattern can select a step of a suite that is not collected yet: when a name is only known later, it can. */
export function mayMatch(plan: SuitePlan, pattern: RegExp): boolean {
  if (plan.each || hasTemplate(plan.name)) return true
  return listSteps(plan).some(
    ({ name, iterate }) =>
      iterate !== undefined ||
      hasTemplate(name) ||
      // Names as Vitest joins them; search ignores the position that a pattern with the flag `g` keeps.
      `${escapeControl(plan.name)} > ${escapeControl(name)}`.search(pattern) !== -1,
  )
}
