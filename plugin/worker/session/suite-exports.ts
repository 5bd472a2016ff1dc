import { readOwn, type JsonObject } from '../../../src/json.ts'
import { listSteps } from '../../../src/suite/plan.ts'
import type { Session } from './session-interface.ts'
import type { SuiteProblem } from './suite-problems.ts'

/** What one suite hands to the others once it has run. */
export type SuiteExports = {
  values: JsonObject
  /** Exports that are not there: name → the step that should have given it, in words. */
  missing: ReadonlyMap<string, string>
  /** Why the suite did not run at all. */
  failure?: string
  /** What failed in a run that no test reports. */
  problems: readonly SuiteProblem[]
}

/** Gets what another suite hands on: waits for it, or runs the steps that give it. */
export type ObtainExports = (
  reader: Session,
  nodeId: string,
  signal: AbortSignal | undefined,
) => Promise<SuiteExports>

/** What a session gives to others: the exports that have a value, and who failed to give the rest. */
export function describeExports({ plan, run }: Session): Pick<SuiteExports, 'values' | 'missing'> {
  const values: JsonObject = Object.create(null)
  const missing = new Map<string, string>()
  for (const name of plan.exports) {
    const value = run && (readOwn(run.captures, name) ?? readOwn(run.variables, name))
    if (value !== undefined) values[name] = value
    else {
      const giver = listSteps(plan).find(({ gives }) => gives.includes(name))
      const step = giver && `step “${giver.name}” (${plan.file}:${giver.at[0]})`
      missing.set(name, step ?? `the suite \`${plan.nodeId}\``)
    }
  }
  return { values, missing }
}

/** The exports of several rows of a suite: the last row that has a value counts. */
export function joinExports(rows: readonly Pick<SuiteExports, 'values' | 'missing'>[]): SuiteExports {
  const values: JsonObject = Object.assign(Object.create(null), ...rows.map((row) => row.values))
  const missing = new Map(rows.flatMap((row) => [...row.missing]))
  for (const name of Object.keys(values)) missing.delete(name)
  return { values, missing, problems: [] }
}
