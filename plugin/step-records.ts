import type { JsonObject } from '../src/json.ts'
import type { StateBefore } from '../src/run/record-outcome.ts'
import type { StepOutcome } from '../src/run/step-outcome.ts'
import type { StepPlan } from '../src/suite/plan.ts'

/** One run of a step (or of one iteration of it), and the state it started from. */
type StepRecord = { outcome: StepOutcome; before: StateBefore }

/** Outcomes that another suite's session got by running this suite ahead of its own file: step id → one per iteration. */
export type Replay = Record<string, StepOutcome[]>

/** What the steps of a session came to: the last run of each counts. */
export class StepRecords {
  #steps = new Map<StepPlan, Map<number, StepRecord>>()
  #replay: Replay | undefined

  /** True when all outcomes come from another session. */
  get isReplay(): boolean {
    return this.#replay !== undefined
  }

  has(step: StepPlan): boolean {
    return this.#steps.has(step)
  }

  keep(step: StepPlan, record: StepRecord & { loop: JsonObject | undefined }): void {
    const iterations = this.#steps.get(step) ?? new Map<number, StepRecord>()
    this.#steps.set(step, iterations.set(readIndex(record.loop), record))
  }

  /** Forgets an earlier run of a step that is about to be run again, and returns the state it started from. */
  forget(step: StepPlan, loop: JsonObject | undefined): StateBefore | undefined {
    const iterations = this.#steps.get(step)
    const before = iterations?.get(readIndex(loop))?.before
    if (loop) iterations?.delete(readIndex(loop))
    else iterations?.clear()
    return before
  }

  /** Outcomes of a step, in the order of its iterations. */
  outcomes(step: StepPlan): StepOutcome[] {
    const iterations = [...(this.#steps.get(step) ?? [])].toSorted(([a], [b]) => a - b)
    return iterations.map(([, { outcome }]) => outcome)
  }

  /** Every step that ran, in the order of the first run. */
  steps(): StepPlan[] {
    return [...this.#steps.keys()]
  }

  /** Takes outcomes of another session instead of running the steps. */
  takeOver(replay: Replay | undefined): void {
    this.#replay = replay
  }

  /** What another session came to for a step, or for one iteration of it. */
  replay(step: StepPlan, loops: readonly JsonObject[] | undefined): StepOutcome[] | undefined {
    const outcomes = this.#replay && Object.hasOwn(this.#replay, step.id) ? this.#replay[step.id] : undefined
    return loops
      ? outcomes?.filter(({ result }) => result.iteration?.['index'] === loops[0]?.['index'])
      : outcomes
  }
}

function readIndex(loop: JsonObject | undefined): number {
  return Number(loop?.['index'] ?? 0)
}
