import type { JsonObject } from '../../../src/json.ts'
import { isExecuted } from '../../../src/report/count-steps.ts'
import type { StateBefore } from '../../../src/run/record-outcome.ts'
import type { StepOutcome } from '../../../src/run/step-outcome.ts'
import type { StepPlan } from '../../../src/suite/plan/plan.ts'
import type { StepTask } from '../engine/collect-tests.ts'

type StepRecord = { outcome: StepOutcome; before: StateBefore }

/** Which steps of a session have run, and their outcomes. Only the last run of each counts. */
export class StepRecords {
  readonly steps: readonly StepPlan[]
  #tests: ReadonlyMap<StepPlan, readonly StepTask[]>
  #first = 0
  #runs = new Map<StepPlan, Map<number, StepRecord>>()

  constructor(steps: readonly StepPlan[], tests: readonly StepTask[] = []) {
    this.steps = steps
    this.#tests = Map.groupBy(tests, ({ step }) => step)
  }

  /** True for a step that has run. If its iterations have tests of their own, all of them must have. */
  has(step: StepPlan): boolean {
    const { size = 0 } = this.#runs.get(step) ?? {}
    return size >= (this.#tests.get(step)?.length ?? 1)
  }

  /** What is left of a step: the loop variables of its missing iterations, or undefined for the whole step. */
  listMissing(step: StepPlan): (JsonObject | undefined)[] {
    const known = this.#runs.get(step)
    const loops = known && this.#tests.get(step)?.map(({ loop }) => loop)
    return loops?.filter((loop) => !known?.has(readIndex(loop))) ?? [undefined]
  }

  /** The steps before the teardown, or only those before a step, that have not run. */
  listOpen(before?: StepPlan): StepPlan[] {
    // Those at the start that have run need not be checked again.
    while (this.#first < this.steps.length && this.has(this.steps[this.#first] as StepPlan)) this.#first += 1
    const earlier = this.steps.slice(this.#first, before && this.steps.indexOf(before))
    return earlier.filter((step) => step.phase !== 'teardown' && !this.has(step))
  }

  get isPartial(): boolean {
    return this.leftOut() || this.all().some(isSkipped)
  }

  /** True if steps before the teardown, or only before a step, were left out. Asked when those have run that had to. */
  leftOut(before?: StepPlan): boolean {
    return this.listOpen(before).some(({ todo }) => !todo)
  }

  keep(step: StepPlan, loop: JsonObject | undefined, record: StepRecord): void {
    const iterations = this.#runs.get(step) ?? new Map<number, StepRecord>()
    this.#runs.set(step, iterations.set(readIndex(loop), record))
  }

  /** Forgets the earlier run of a step that is about to run again. Returns the state from before it. */
  forget(step: StepPlan, loop: JsonObject | undefined): StateBefore | undefined {
    const iterations = this.#runs.get(step)
    const before = iterations?.get(readIndex(loop))?.before
    if (loop) iterations?.delete(readIndex(loop))
    else iterations?.clear()
    return before
  }

  /** Drops what a step sent, received and compared: it has been reported, and only whether it failed still matters. */
  release(step: StepPlan): void {
    for (const record of this.#runs.get(step)?.values() ?? []) {
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
    const iterations = [...(this.#runs.get(step) ?? [])].toSorted(([a], [b]) => a - b)
    const wanted = iterations.filter(([index]) => !loop || index === readIndex(loop))
    return wanted.map(([, { outcome }]) => outcome)
  }

  /** All outcomes, step by step in the order of the first run. */
  all(): StepOutcome[] {
    return [...this.#runs.keys()].flatMap((step) => this.outcomes(step))
  }
}

function readIndex(loop: JsonObject | undefined): number {
  return Number(loop?.['index'] ?? 0)
}

export function isSkipped({ result }: StepOutcome): boolean {
  return !isExecuted(result)
}
