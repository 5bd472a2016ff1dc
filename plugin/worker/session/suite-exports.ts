import { readOwn, type JsonObject } from '../../../src/json.ts'
import { listSteps, type StepPlan } from '../../../src/suite/plan/plan.ts'
import type { Session } from './session-interface.ts'
import type { SuiteExports } from '../../contract/suite-exports.ts'

/** What a session gives to others: the exports that have a value, and those whose step failed or gave none. */
export function describeExports({ plan, run, records }: Session): Pick<SuiteExports, 'values' | 'missing'> {
  const values: JsonObject = Object.create(null)
  const missing = new Map<string, string>()
  for (const name of plan.exports) {
    const value = run && (readOwn(run.captures, name) ?? readOwn(run.variables, name))
    if (value !== undefined) values[name] = value
    const givers = listSteps(plan).filter(({ gives }) => gives.includes(name))
    const hasFailed = (step: StepPlan): boolean =>
      !step.continueOnFailure && records.outcomes(step).some(({ failures }) => failures.length > 0)
    const blamed = givers.find(hasFailed) ?? (value === undefined ? givers[0] : undefined)
    if (blamed) missing.set(name, `step “${blamed.name}” (${plan.file}:${blamed.at[0]})`)
    else if (value === undefined) missing.set(name, `the suite \`${plan.nodeId}\``)
  }
  return { values, missing }
}

/** The exports of several rows of a suite: the last row that has a value counts. */
export function joinExports(rows: readonly Pick<SuiteExports, 'values' | 'missing'>[]): SuiteExports {
  const values: JsonObject = Object.assign(Object.create(null), ...rows.map((row) => row.values))
  const missing = new Map(rows.flatMap((row) => [...row.missing]))
  return { values, missing, problems: [] }
}
