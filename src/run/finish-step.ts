import { readCookies } from '../assertion/read-cookies.ts'
import { readTimestamp } from '../timestamp.ts'
import { warn, type RunningStep, type StepAttempt } from './attempt/attempt.ts'
import type { Attempts } from './attempt/repeat-attempts.ts'
import { fillName, hideCaptured } from './fill-name.ts'
import { recordAbsent, recordFailure, recordMissing } from './record-outcome.ts'
import type { StepResult } from './result.ts'
import type { Findings, SkipDecision, StepFailure, StepOutcome } from './step-outcome.ts'
import { listVisible } from './suite-run.ts'

type StepEnd = Attempts & { base: StepResult; findings?: Findings | undefined; duration: number }

/** The only place that decides the outcome of a step: derives status, message and rows from all findings, and records what follows for later steps. */
export function finishStep({ base, last, attempts, earlier, findings, duration }: StepEnd): StepOutcome {
  const { run, step, response, exchange, compareSnapshot, captured } = last
  const { problems: mocks = [], met = [], late = [] } = findings ?? {}
  const own = [...last.failures, ...compareSnapshots(last, [...late, ...mocks, ...last.failures].length > 0)]
  const field = 'mocks'
  const rows = [
    ...mocks.map(({ message }) => ({ field, expected: 'as mocked', actual: null, passed: false, message })),
    ...met.map((words) => ({ field, expected: words, actual: words, passed: true, message: 'OK' })),
  ]
  const failures = [
    // An error of the application is the cause of the failures after it.
    ...late,
    // Without a response, problems with mocks are not the cause, and come later.
    ...(response ? mocks : []),
    ...foldEffects(own, last),
    ...(response ? [] : mocks),
  ]
  Object.assign(run.captures, captured)
  const hasPassed = failures.length === 0
  warnOfUnkept(last, hasPassed)
  if (hasPassed) recordAbsent(run, step, 'did not capture, because no branch that captures it was taken')
  else recordFailure(run, step)
  // A 429 only asks the client to wait (RFC 6585, 4).
  const hasFailedBefore = attempts.slice(0, -1).some(({ status_code }) => status_code !== 429)
  const { until } = step.retry ?? run.environment.settings.retry ?? {}
  const isFlaky = hasPassed && (last.isFlaky || (hasFailedBefore && until === undefined))
  const calls = [...(last.details.mock_calls ?? []), ...(findings?.calls ?? [])]
  const warnings = [...last.warnings, ...(findings?.warnings ?? [])]
  const result: StepResult = {
    ...base,
    ...last.details,
    status: hasPassed ? 'success' : 'failure',
    ...(isFlaky && { flaky: true }),
    duration_ms: Math.round(duration),
    assertions_results: [...last.rows, ...rows],
    captured_variables: Object.assign(Object.create(null), captured, last.called),
    available_variables: listVisible(last),
    ...(attempts.length > 1 && { attempts }),
    ...(calls.length > 0 && { mock_calls: calls }),
    ...(warnings.length > 0 && { warnings }),
    ...(!hasPassed && { error_message: failures.map(({ message }) => message).join('\n') }),
  }
  const snapshots = compareSnapshot ? [] : last.snapshots
  // The calling step compares them under this step's name: one that is skipped does not shift other names.
  for (const each of snapshots)
    each.name = each.name === undefined ? step.name : `${step.name} > ${each.name}`
  return { result, failures, exchange, earlier, snapshots, response }
}

/** Warns of a cookie whose absence may be why this response refuses access, and notes which cookies the suite does not keep. */
function warnOfUnkept(last: StepAttempt, hasPassed: boolean): void {
  const { run, step, response } = last
  // A called suite has cookies of its own.
  if (run.jar || !response || step.call) return
  const { status_code, headers, request, redirects = [] } = response
  run.unkept ??= redirects.flatMap(({ set_cookies: set = [] }) => set as string[])[0]
  const { cookie, authorization } = request.headers
  const isRefused = !hasPassed && [401, 403].includes(status_code)
  const why = 'a suite keeps cookies only with `cookies: true`, beside `steps`'
  if (run.unkept !== undefined && isRefused && cookie === undefined && authorization === undefined)
    warn(last, step.at, `The server set the cookie \`${run.unkept}\` before, but it was not sent: ${why}.`)
  run.unkept ??= Object.keys(readCookies(headers))[0]
}

/** The outcome of a step that was skipped, or failed before anything was sent. */
export function finishUnsent(
  running: RunningStep,
  { reason, wanted, isStopped, failure, warnings = [] }: SkipDecision,
): StepOutcome {
  const { run, step } = running
  if (failure) recordFailure(run, step)
  else if (wanted) recordAbsent(run, step, 'did not provide')
  else recordMissing(run, step)
  const result: StepResult = {
    ...createResult(running),
    ...(failure ? { status: 'failure', error_message: failure.message } : { skip_reason: reason ?? '' }),
    ...(isStopped && { status: 'not_run' }),
    available_variables: listVisible(running),
    ...(warnings.length > 0 && { warnings }),
  }
  if (failure) return { result, failures: [failure] }
  delete result.start_time
  return { result, failures: [], ...(wanted && { isLeftOut: true as const }) }
}

export function createResult(
  { run, step, loop, local }: RunningStep,
  start_time: string = readTimestamp(),
): StepResult {
  const { plan, row, variables, environment } = run
  const hidden = hideCaptured(plan, step, step.name)
  return {
    step_id: step.id,
    qualified_step_id: `${plan.nodeId}::${step.id}`,
    step_name: fillName(step.name, [local, hidden, loop, row, variables, environment.settings.variables]),
    status: 'skipped',
    start_time,
    duration_ms: 0,
    assertions_results: [],
    captured_variables: Object.create(null),
    available_variables: Object.create(null),
    line: step.at[0],
    ...(loop && { iteration: loop }),
  }
}

/**
 * Merges failures with a common cause: an unreadable body; an unexpected status, with which all of the response
 * may differ; GraphQL errors or the early end of a stream, after which the rest is missing; a missing part; a value of
 * a wrong type.
 */
function foldEffects(
  failures: readonly StepFailure[],
  { response, step }: StepAttempt,
): readonly StepFailure[] {
  if (failures.length < 2) return failures
  const broken = response?.bodyError
  const asked = failures.find(({ about = '' }) => ['status_code', 'body.errors', 'stream'].includes(about))
  // The responses of a burst may fail for several reasons.
  const isUnexpected = asked?.about === 'status_code' && asked.isOfResponse && !step.burst
  const ofValue = Map.groupBy(failures, ({ about }) => about)
  const findCause = (failure: StepFailure): StepFailure | string => {
    if (broken !== undefined && failure.about && failure.message.includes(broken)) return broken
    if (asked) return failure.unmade || (isUnexpected && failure.isOfResponse) ? asked : failure
    const isFirst = failure === ofValue.get(failure.about)?.[0]
    return failure.gap ?? (isFirst ? failure.about : undefined) ?? failure
  }
  return Array.from(Map.groupBy(failures, findCause), ([cause, group]): StepFailure => {
    const lead = cause === asked ? asked : (group[0] as StepFailure)
    if (group.length < 2) return lead
    const also = cause === asked ? group.filter((one) => one !== asked && !one.unmade) : []
    const isBeside = (one: StepFailure): boolean => cause !== broken && one.about === lead.about
    // All checks of a missing value fail with the same words.
    const effects = group.filter(
      (one) => !(isBeside(one) && one.message === lead.message) && !also.includes(one),
    )
    const list = effects.map((one) => (isBeside(one) && one.row) || one.about)
    const names = [...new Set(list)].join(', ')
    const lines = [
      cause === broken ? cause : lead.message,
      ...(names === '' ? [] : [`These could not be checked: ${names}`]),
      ...also.map(({ message }) => `Also: ${message.replace(/:?\n[^]*/, '')}`),
    ]
    return { ...lead, message: lines.join('\n') }
  })
}

function compareSnapshots(
  { snapshots, rows, compareSnapshot, captured, learn }: StepAttempt,
  hasFailed: boolean,
): StepFailure[] {
  // A snapshot must not store what the step itself captures as a secret.
  if (snapshots.length > 0) learn?.({ captured_variables: captured })
  return snapshots.flatMap((snapshot): StepFailure[] => {
    const found = compareSnapshot?.(snapshot, hasFailed)
    if (!found) return []
    const { isEffect, ...difference } = found
    Object.assign(rows[snapshot.row] ?? {}, { passed: false, message: difference.message })
    return isEffect ? [] : [{ at: snapshot.at, ...difference, isOfResponse: true }]
  })
}
