import type { AssertionResult } from '../assertion/check.ts'
import type { JsonObject } from '../json.ts'
import type { StepPlan } from '../suite/plan/plan.ts'
import type { AttemptOutcome } from './attempt/attempt.ts'
import { recordFailure, recordUncaptured } from './record-outcome.ts'
import type { Attempt, StepResult } from './result.ts'
import type { CompareSnapshot, Findings, SentExchange, StepFailure, StepOutcome } from './step-outcome.ts'
import { listVisible, type SuiteRun } from './suite-run.ts'

/** All that came of a step. */
export type StepEnd = {
  base: StepResult
  last: AttemptOutcome
  attempts: Attempt[]
  earlier: ReadonlyMap<number, SentExchange>
  findings?: Findings | undefined
  compareSnapshot?: CompareSnapshot | undefined
  loop?: JsonObject | undefined
  duration: number
}

/**
 * The one owner of a step's outcome: from what checks, captures, mocks, late errors, snapshots and limits found it derives
 * status, message and rows, and decides what that does to the steps after it. Called once for each run of a step.
 */
export function finishStep(run: SuiteRun, step: StepPlan, end: StepEnd): StepOutcome {
  const { base, last, attempts, findings, loop } = end
  const snapshots = end.compareSnapshot ? [] : last.snapshots
  const failures = [
    // An error of the application is the cause of what comes after it.
    ...(findings?.late ?? []),
    // Where no answer came, the mocks had nothing to do.
    ...(last.response ? (findings?.mocks ?? []) : []),
    ...foldEffects(last),
    ...(last.response ? [] : (findings?.mocks ?? [])),
    ...compareAll(last, end.compareSnapshot),
  ]
  Object.assign(run.captures, last.captured)
  if (failures.length > 0) recordFailure(run, step)
  else recordUncaptured(run, step)
  // A 429 asks for patience (RFC 6585, 4).
  const hasFailedBefore = attempts.slice(0, -1).some(({ status_code }) => status_code !== 429)
  const isFlaky = failures.length === 0 && hasFailedBefore && step.retry?.until === undefined
  const warnings = [...last.warnings, ...(findings?.warnings ?? [])]
  const result: StepResult = {
    ...base,
    ...last.details,
    status: failures.length === 0 ? 'success' : 'failure',
    ...(isFlaky && { flaky: true }),
    duration_ms: Math.round(end.duration),
    assertions_results: [...last.rows, ...(findings?.mocks ?? []).map(toMockRow)],
    captured_variables: listCaptured(last),
    available_variables: listVisible(run, loop),
    ...(attempts.length > 1 && { attempts }),
    ...(findings && findings.calls.length > 0 && { mock_calls: findings.calls }),
    ...(warnings.length > 0 && { warnings }),
    ...(failures.length > 0 && { error_message: failures.map(({ message }) => message).join('\n') }),
  }
  const { exchange, response } = last
  return { result, failures, exchange, earlier: end.earlier, snapshots, response }
}

/**
 * Tells once what has one cause: a body that cannot be read; a status that was not asked for, or errors of GraphQL, whose
 * answer lacks the rest; a part of the answer that is missing with all that is looked for below it.
 */
function foldEffects({ failures, response }: AttemptOutcome): readonly StepFailure[] {
  const reason = response?.bodyError
  if (reason !== undefined) {
    const effects = failures.filter(({ message }) => message === reason || message.includes(`: ${reason}`))
    return fold(
      failures,
      effects,
      () => `${reason}\nThese need the body, which cannot be read: ${nameAll(effects)}`,
    )
  }
  const cause = failures.find(({ about = '' }) => /^(?:status_code|body\.errors)$/.test(about))
  if (cause) {
    const effects = failures.filter((failure) => failure.unmade && failure !== cause)
    return fold(
      failures,
      [cause, ...effects],
      () => `${cause.message}\nThese could not be checked in this answer: ${nameAll(effects)}`,
    )
  }
  const gaps = Map.groupBy(failures, ({ gap }) => gap)
  gaps.delete(undefined)
  return [...gaps.values()].reduce<readonly StepFailure[]>(
    (told, group) => fold(told, group, tellGap),
    failures,
  )
}

function tellGap([first, ...others]: readonly StepFailure[]): string {
  const names = nameAll(others.filter(({ about }) => about !== first?.about))
  return `${first?.message}${names && `\nNor could these be checked: ${names}`}`
}

/** Leaves only the first of some failures, with a message for all of them. */
function fold(
  failures: readonly StepFailure[],
  effects: readonly StepFailure[],
  tell: (effects: readonly StepFailure[]) => string,
): readonly StepFailure[] {
  if (effects.length < 2) return failures
  const told = { ...effects[0], message: tell(effects) } as StepFailure
  return failures.flatMap((each) => (each === effects[0] ? [told] : effects.includes(each) ? [] : [each]))
}

function nameAll(failures: readonly StepFailure[]): string {
  return [...new Set(failures.map(({ about }) => about))].join(', ')
}

function compareAll(last: AttemptOutcome, compare: CompareSnapshot | undefined): StepFailure[] {
  if (!compare) return []
  return last.snapshots.flatMap((snapshot): StepFailure[] => {
    const difference = compare(snapshot)
    if (!difference) return []
    const row = last.rows[snapshot.row]
    if (row) Object.assign(row, { passed: false, message: difference.message })
    return [{ at: snapshot.at, ...difference }]
  })
}

/** Captures of the step, and what a called suite gave back as `<node_id>.<name>`. */
function listCaptured({ captured, exports = {} }: AttemptOutcome): JsonObject {
  const all: JsonObject = Object.assign(Object.create(null), captured)
  for (const [nodeId, values] of Object.entries(exports))
    for (const [name, value] of Object.entries(values)) all[`${nodeId}.${name}`] = value
  return all
}

function toMockRow({ message }: StepFailure): AssertionResult {
  return { field: 'mocks', expected: 'as mocked', actual: null, passed: false, message }
}
