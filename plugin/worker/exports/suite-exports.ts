import { readMessage } from '../../../src/errors.ts'
import { readOwn, type JsonObject } from '../../../src/json.ts'
import { followExport, type StepPlan } from '../../../src/suite/plan/plan.ts'
import type { SuiteExports } from './export-types.ts'
import { showPosition } from '../../../src/source.ts'
import { describeStep } from '../../../src/run/record-outcome.ts'
import { resolveSuiteVariables, type Absence } from '../../../src/run/suite-run.ts'
import { listProviders } from '../session/prerequisites.ts'
import type { LinkedPlan } from '../session/links.ts'
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

/** The same, for a reader that has to report it. */
export function reportUnloaded(
  { plan }: SuiteSession,
  nodeId: string,
  { message: why }: Error,
): SuiteExports {
  const message = `The suite \`${nodeId}\`, which this one needs, could not be loaded.\n${why}`
  return { ...UNLOADED, problems: [{ message, at: plan.at }] }
}

/** Joins the exports of a suite's rows. Those of the last row count. */
export function joinExports(rows: readonly SuiteExports[]): SuiteExports {
  const problems = rows.flatMap((row) => row.problems)
  return { ...NOTHING, ...rows.at(-1), problems }
}

/** Runs, unreported, the steps that provide the wanted exports of a suite, on behalf of a suite that reads them. Without `wanted` it runs all steps. */
export async function runExporter(
  reader: SuiteSession,
  { nodeId, linked, wanted }: { nodeId: string; linked: LinkedPlan; wanted?: readonly string[] | undefined },
  signal: AbortSignal | undefined,
): Promise<SuiteExports> {
  const rows: SuiteExports[] = []
  try {
    for (const row of linked.plan.each ?? [undefined]) {
      const session = reader.openOther(linked, { prerequisites: reader.options.prerequisites, row })
      // Even if it could not start, it may have set the clock or opened its mocks.
      await session.runFor(wanted, signal).finally(() => session.finish())
      // Problems of another suite are reported at the suite that reads it.
      const problems = session.problems.map(({ message, at }) => ({
        message: `${showPosition(linked.plan.file, at)}: ${message}`,
        at: reader.plan.at,
      }))
      rows.push({ ...describeExports(session), problems })
    }
  } catch (error) {
    const failure = `could not be run: ${readMessage(error)}`
    const message = `The suite \`${nodeId}\`, which this one reads, ${failure}`
    rows.push({ ...joinExports(rows), failure: `it ${failure}`, problems: [{ message, at: reader.plan.at }] })
  }
  return joinExports(rows)
}
