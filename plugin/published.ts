import { isJsonObject, readOwn, type Json, type JsonObject } from '../src/json.ts'
import type { Published } from './export-board.ts'
import type { Session } from './session-interface.ts'

/** Deeper values cannot be handed from worker to worker. */
const MAX_DEPTH = 500

/** Characters that the exports of one suite may have together, as JSON. */
const MAX_LENGTH = 10_000_000

/** What a session gives to others: the exports that have a value, and why the suite failed if it did. */
export function describePublished(session: Session): Published {
  const { plan, run, records } = session
  const defect = findExportDefect(session)
  const failed = records
    .steps()
    .find(
      (step) =>
        step.phase !== 'teardown' &&
        !step.continueOnFailure &&
        records.outcomes(step).some(({ failures }) => failures.length > 0),
    )
  const failure =
    (failed && `step “${failed.name}” (${plan.file}:${failed.at[0]}) failed`) ?? run?.stopped ?? defect
  return {
    values: defect === undefined ? listValues(session) : Object.create(null),
    ...(failure !== undefined && { failure }),
  }
}

/** Why the exports cannot be handed on, although every step may have passed. */
export function findExportDefect(session: Session): string | undefined {
  const values = listValues(session)
  const deep = Object.keys(values).filter((name) => isTooDeep(values[name] as Json))
  if (deep.length > 0)
    return `the export \`${deep.join('`, `')}\` is nested deeper than ${MAX_DEPTH} levels and cannot be handed on; capture a part of it`
  const { length } = JSON.stringify(values)
  if (length <= MAX_LENGTH) return undefined
  return `the exports are ${length} characters long; the most is ${MAX_LENGTH}. Capture parts of them`
}

function listValues({ plan, run }: Session): JsonObject {
  const values: JsonObject = Object.create(null)
  for (const name of run ? plan.exports : []) {
    const value = run && (readOwn(run.captures, name) ?? readOwn(run.variables, name))
    if (value !== undefined) values[name] = value
  }
  return values
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
