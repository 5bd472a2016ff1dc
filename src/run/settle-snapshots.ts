import type { PendingSnapshot, StepFailure, StepOutcome } from './step-outcome.ts'

/** Compares one snapshot; returns how it differs, or undefined. */
export type CompareSnapshot = (snapshot: PendingSnapshot) => Pick<StepFailure, 'message' | 'diff'> | undefined

/**
 * Compares the snapshots of a step and corrects its result where one differs: the row, the status, the failures.
 * Returns whether one differs.
 */
export function settleSnapshots(outcome: StepOutcome, compare: CompareSnapshot): boolean {
  const { result, failures, snapshots = [] } = outcome
  delete outcome.snapshots
  let differs = false
  for (const snapshot of snapshots) {
    const difference = compare(snapshot)
    if (!difference) continue
    const { message } = difference
    differs = true
    const row = result.assertions_results[snapshot.row]
    if (row) Object.assign(row, { passed: false, message })
    failures.push({ kind: 'assertion', at: snapshot.at, ...difference })
    result.status = 'failure'
    result.error_message =
      result.error_message === undefined ? message : `${result.error_message}\n${message}`
  }
  return differs
}
