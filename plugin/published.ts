import { isJsonObject, readOwn, type Json, type JsonObject } from '../src/json.ts'
import type { Published } from './export-board.ts'
import type { SuiteSession } from './session.ts'

/** Deeper values cannot be handed from worker to worker. */
const MAX_DEPTH = 500

/** What a session gives to others: the exports that have a value, and why the suite failed if it did. */
export function describePublished({ plan, run, records }: SuiteSession): Published {
  const values: JsonObject = Object.create(null)
  const tooDeep: string[] = []
  for (const name of plan.exports) {
    const value = run && (readOwn(run.captures, name) ?? readOwn(run.variables, name))
    if (value === undefined) continue
    if (isTooDeep(value)) tooDeep.push(name)
    else values[name] = value
  }
  const failed = records
    .steps()
    .find(
      (step) =>
        step.phase !== 'teardown' &&
        !step.continueOnFailure &&
        records.outcomes(step).some(({ failures }) => failures.length > 0),
    )
  const failure =
    (failed && `step “${failed.name}” (${plan.file}:${failed.at[0]}) failed`) ??
    run?.stopped ??
    (tooDeep.length > 0
      ? `\`${tooDeep.join('`, `')}\` is nested deeper than ${MAX_DEPTH} levels and cannot be handed on`
      : undefined)
  return { values, ...(failure !== undefined && { failure }) }
}

/** Goes down level by level, so that no depth overflows the stack. */
function isTooDeep(value: Json): boolean {
  let level: Json[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true
    level = level.flatMap((each) =>
      Array.isArray(each) ? each : isJsonObject(each) ? Object.values(each) : [],
    )
  }
  return false
}
