import { readOwn, type JsonObject } from '../../../src/json.ts'
import { followExport, type StepPlan } from '../../../src/suite/plan/plan.ts'
import type { SuiteExports } from './export-types.ts'
import { describeStep } from '../../../src/run/record-outcome.ts'
import { resolveSuiteVariables, type Absence } from '../../../src/run/suite-run.ts'
import { listProviders } from '../session/prerequisites.ts'
import type { SuiteSession } from '../session/session.ts'

/** What a session provides to others: the exports with a value, and those that are missing or whose step failed. */
export function describeExports({ plan, run, records }: SuiteSession): SuiteExports {
  const values: JsonObject = Object.create(null)
  const missing = new Map<string, Absence>()
  // Variables may depend on what the last step captured.
  if (run) resolveSuiteVariables(run)
  const hasFailed = (step: StepPlan): boolean =>
    !step.continueOnFailure && records.outcomes(step).some(({ failures }) => failures.length > 0)
  for (const name of plan.exports) {
    const layer = run && (Object.hasOwn(run.captures, name) ? run.captures : run.variables)
    const value = layer && readOwn(layer, name)
    if (value !== undefined) values[name] = value
    const [absence] = followExport(plan, name).flatMap((each) => run?.absent.get(each) ?? [])
    const providers = listProviders(plan, [name])
    const isMissed = (step: StepPlan): boolean => describeStep(step) === absence?.provider
    const missed = value === undefined ? (providers.find(isMissed) ?? providers[0]) : undefined
    const blamed = providers.find(hasFailed) ?? missed
    const provider = blamed
      ? `step “${blamed.name}” (${plan.file}:${blamed.at[0]})`
      : `the suite \`${plan.nodeId}\``
    if (value === undefined) missing.set(name, { why: 'did not give', ...absence, provider })
    else if (blamed) missing.set(name, { why: 'captured, but it failed', provider })
  }
  return { values, missing, problems: [] }
}

/** What a suite without exports provides. */
export const NOTHING: SuiteExports = { values: Object.create(null), missing: new Map(), problems: [] }

/** What a suite provides that could not be loaded. */
export const UNLOADED: SuiteExports = { ...NOTHING, failure: 'it could not be loaded' }
