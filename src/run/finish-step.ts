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
  if (failures.length < 2) return failures
  const broken = response?.bodyError
  const asked = failures.find(({ about = '' }) => /^(?:status_code|body\.errors)$/.test(about))
  const groups = Map.groupBy(failures, (failure) => {
    const { message } = failure
    if (broken !== undefined)
      return message === broken || message.includes(`: ${broken}`) ? broken : undefined
    if (asked) return failure === asked || failure.unmade ? asked.message : undefined
    return failure.gap
  })
  groups.delete(undefined)
  /** What stands in the place of a failure; nothing for an effect of another one. */
  const told = new Map<StepFailure, StepFailure[]>()
  for (const group of groups.values()) {
    if (group.length < 2) continue
    for (const failure of group) told.set(failure, [])
    const cause = asked && broken === undefined ? asked : (group[0] as StepFailure)
    const names = nameAll(broken === undefined ? group.filter(({ about }) => about !== cause.about) : group)
    const effects = asked ? 'These could not be checked in this answer' : 'Nor could these be checked'
    const start = broken === undefined ? cause.message : broken
    const link = broken === undefined ? effects : 'These need the body, which cannot be read'
    told.set(cause, [names === '' ? cause : { ...cause, message: `${start}\n${link}: ${names}` }])
  }
  return failures.flatMap((failure) => told.get(failure) ?? failure)
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
