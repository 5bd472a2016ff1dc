import type { RetryPlan } from '../suite/plan/plan.ts'
import { toText } from '../json.ts'
import { LONGEST, parseDuration } from '../text/units.ts'
import { showValue } from '../text/show-value.ts'
import type { RunningStep } from './attempt/attempt.ts'
import { fillPart, locateTemplate } from './attempt/fill-part.ts'
import type { StepFailure } from './step-outcome.ts'

/** Settings of a step when it runs; `delay` in ms. */
export type FilledSettings = { delay: number; retry: RetryPlan | undefined }

/** Fills in the `{{…}}` of a step's settings; returns a failure if a value is invalid. */
export function fillSettings(running: RunningStep): FilledSettings | StepFailure {
  const { run, step } = running
  const { delay } = step
  const retry = step.burst ? undefined : (step.retry ?? run.environment.settings.retry)
  if (typeof delay === 'number' && !retry?.open) return { delay, retry }
  const failures: StepFailure[] = []
  const read = (text: string, pointer: string, isCount = false): number => {
    const at = locateTemplate(run.plan, pointer) ?? step.at
    const value = fillPart({ ...running, failures, warnings: [] }, text, { pointer, at })
    const name = pointer.replace(/^.*\//, '')
    const number = typeof value === 'number' ? value : parseDuration(isCount ? '' : toText(value))
    const [least, most] = isCount ? [1, 1000] : [0, LONGEST]
    if (number >= least && number <= most && (!isCount || Number.isInteger(number))) return number
    const kind = isCount ? 'a whole number from 1 to 1000' : 'milliseconds or a duration such as `5s`'
    const message = `Expected \`${name}: ${text}\` to be ${kind}, got ${showValue(value)}.`
    failures.push({ message, at })
    return 0
  }
  const filled = retry && { ...retry }
  const wait = typeof delay === 'number' ? delay : read(delay, `${step.pointer}/delay_ms`)
  for (const { key, text, pointer } of retry?.open ?? [])
    if (filled) filled[key] = read(text, pointer, key === 'maxAttempts')
  return failures[0] ?? { delay: wait, retry: filled }
}
