import type { JsonObject } from '../../../src/json.ts'
import type { StateBefore } from '../../../src/run/record-outcome.ts'
import type { StepOutcome } from '../../../src/run/step-outcome.ts'
import type { StepPlan } from '../../../src/suite/plan/plan.ts'
import type { StepTask } from '../engine/task-tree.ts'

type StepRecord = { outcome: StepOutcome; before: StateBefore }

/** The outcomes of a session's steps. Only the last run of each counts. */
export class StepRecords {
  #steps = new Map<StepPlan, Map<number, StepRecord>>()
  #tests: ReadonlyMap<StepPlan, readonly StepTask[]>

  constructor(tests: readonly StepTask[] = []) {
    this.#tests = Map.groupBy(tests, ({ step }) => step)
  }

  /** True for a step that has run. If its iterations have tests of their own, all of them must have. */
  has(step: StepPlan): boolean {
    const { size = 0 } = this.#steps.get(step) ?? {}
    return size >= (this.#tests.get(step)?.length ?? 1)
  }

  /** What is left of a step: the loop variables of its missing iterations, or undefined for the whole step. */
  listMissing(step: StepPlan): (JsonObject | undefined)[] {
    const known = this.#steps.get(step)
    const loops = known && this.#tests.get(step)?.map(({ loop }) => loop)
    return loops?.filter((loop) => !known?.has(readIndex(loop))) ?? [undefined]
  }

  keep(step: StepPlan, loop: JsonObject | undefined, record: StepRecord): void {
    const iterations = this.#steps.get(step) ?? new Map<number, StepRecord>()
    this.#steps.set(step, iterations.set(readIndex(loop), record))
  }

  /** Forgets the earlier run of a step that is about to run again. Returns the state from before it. */
  forget(step: StepPlan, loop: JsonObject | undefined): StateBefore | undefined {
    const iterations = this.#steps.get(step)
    const before = iterations?.get(readIndex(loop))?.before
    if (loop) iterations?.delete(readIndex(loop))
    else iterations?.clear()
    return before
  }

  /** Drops what a step sent, received and compared: it has been reported, and only whether it failed still matters. */
  release(step: StepPlan): void {
    for (const record of this.#steps.get(step)?.values() ?? []) {
      const { result, failures } = record.outcome
      const { request_details: _request, response_details: _response, ...rest } = result
      record.outcome = {
        result: { ...rest, assertions_results: [], captured_variables: {}, available_variables: {} },
        failures: failures.map(({ at }) => ({ message: '', at })),
      }
    }
  }

  /** Outcomes of a step, in the order of its iterations, or only that of one iteration. */
  outcomes(step: StepPlan, loop?: JsonObject): StepOutcome[] {
    const iterations = [...(this.#steps.get(step) ?? [])].toSorted(([a], [b]) => a - b)
    const wanted = iterations.filter(([index]) => !loop || index === readIndex(loop))
    return wanted.map(([, { outcome }]) => outcome)
  }

  /** All outcomes, step by step in the order of the first run. */
  all(): StepOutcome[] {
    return [...this.#steps.keys()].flatMap((step) => this.outcomes(step))
  }
}

function readIndex(loop: JsonObject | undefined): number {
  return Number(loop?.['index'] ?? 0)
}

export function isSkipped({ result }: StepOutcome): boolean {
  return result.status === 'skipped'
}
