import type { JsonObject } from '../json.ts'
import type { RetryPlan, StepPlan } from '../suite/plan/plan.ts'
import { readMilliseconds } from '../text/units.ts'
import { showValue } from '../text/show-value.ts'
import { interpolatePart } from './attempt/interpolate-part.ts'
import type { StepFailure } from './step-outcome.ts'
import { createScope, type SuiteRun } from './suite-run.ts'

/** Settings of a step as they are when it runs. */
export type FilledSettings = { delay: number; retry: RetryPlan | undefined }

const LONGEST = 2 ** 31 - 1

/** Fills in the `{{…}}` of a step's settings; a value that cannot be used fails the step. */
export function fillSettings(
  run: SuiteRun,
  step: StepPlan,
  loop: JsonObject | undefined,
): FilledSettings | StepFailure {
  const retry = step.burst ? undefined : (step.retry ?? run.environment.settings.retry)
  const { delay } = step
  if (typeof delay === 'number' && !retry?.open) return { delay, retry }
  const scope = createScope(run, loop)
  const read = (text: string, pointer: string, most = LONGEST): number | StepFailure => {
    const { value, failures } = interpolatePart({ run, scope, value: text, pointer, at: step.at })
    if (failures[0]) return failures[0]
    const isWritten = typeof value === 'number' || typeof value === 'string'
    const number = isWritten ? readMilliseconds(value) : Number.NaN
    const least = most === LONGEST ? 0 : 1
    if (number >= least && number <= most && (most === LONGEST || Number.isInteger(number))) return number
    const kind =
      most === LONGEST ? 'milliseconds or a duration such as `5s`' : `a whole number from 1 to ${most}`
    const name = pointer.replace(/^.*\//, '')
    const message = `Expected \`${name}: ${text}\` to be ${kind}, got ${value === undefined ? 'nothing' : showValue(value)}.`
    return { message, at: step.at }
  }
  const wait = typeof delay === 'number' ? delay : read(delay, `${step.pointer}/delay_ms`)
  if (typeof wait !== 'number') return wait
  const filled = retry && { ...retry }
  for (const { key, text, pointer } of retry?.open ?? []) {
    const number = read(text, pointer, key === 'maxAttempts' ? 1000 : LONGEST)
    if (typeof number !== 'number') return number
    if (filled) filled[key] = number
  }
  return { delay: wait, retry: filled }
}
