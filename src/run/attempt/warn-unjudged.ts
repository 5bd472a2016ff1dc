import { asksFor } from '../../assertion/check.ts'
import { warn, type StepAttempt } from './attempt.ts'

/** Warns of a step that passed because nothing looked at its answer: no scenario matched, or no check asks about an error status or an empty stream. */
export function warnUnjudged(attempt: StepAttempt): void {
  const { run, step, details, judged } = attempt
  if (!judged) return
  const { response, branches } = judged
  const { scenarios, stream, phase, request, captures } = step
  const checks = [...step.checks, ...branches.flatMap((branch) => branch.checks)]
  if (scenarios.length > 0 && branches.length === 0 && checks.length === 0) {
    const asked = scenarios.map(({ condition }) => `\`${condition}\``).join(', ')
    const what = `none of the scenarios matched (${asked}), and the step has no check of its own`
    const rule = 'Give it an `assert`, or the last scenario an `else`.'
    warn(attempt, step.at, `Nothing was checked: ${what}. ${rule}`)
  }
  const isOpen = stream?.until === undefined && stream?.events === undefined
  if (stream && isOpen && response.events?.length === 0 && !asksFor(checks, 'events')) {
    const rule = 'Write `events: { length: 0 }` if that is right, else what has to come.'
    warn(attempt, stream.at, `The stream had no event, and no check looks at \`events\`. ${rule}`)
  }
  // Teardown steps often find nothing left to remove.
  const isUnseen =
    phase !== 'teardown' &&
    (step.retry ?? run.environment.settings.retry)?.until === undefined &&
    captures.length === 0 &&
    checks.every(({ operator, expected }) => operator === 'exists' && expected === false)
  const status = response.status_code
  // A called step has warned itself.
  if (!request || status < (isUnseen ? 400 : 500)) return
  const isAsked =
    asksFor(checks, 'status_code') ||
    asksFor(checks, 'responses') ||
    details.scenarios_meta?.evaluations.some(
      ({ matched, condition }) => matched && condition.includes('status_code'),
    )
  if (isAsked) return
  const rule = `Write \`status_code: ${status}\` if that is right, else the status it must have.`
  warn(attempt, step.at, `The answer was ${status}, and no check looks at the status. ${rule}`)
}
