import { readMessage, type PlacedMessage } from '../../../src/errors.ts'
import { readOwn, type JsonObject } from '../../../src/json.ts'
import { describeStep, placeReason } from '../../../src/run/record-outcome.ts'
import { resolveSuiteVariables, type Absence } from '../../../src/run/suite-run.ts'
import { showPosition } from '../../../src/source.ts'
import { followExport, type StepPlan } from '../../../src/suite/plan/plan.ts'
import type { LinkedPlan } from '../session/links.ts'
import { listProviders } from '../session/prerequisites.ts'
import type { SuiteSession } from '../session/session.ts'
import type { ListWanted, Obtained, SuiteExports, SuiteRead } from './foreign-exports.ts'

/** The end of the run, what the readers of a run or worker share, and what they want. */
type ObtainTools = { signal: AbortSignal | undefined; shared: Obtained; listWanted: ListWanted }

/** Runs the wanted steps of a suite, unreported and once in each application. Problems go to the first reader. */
export async function obtainExports(
  reader: SuiteSession,
  { nodeId, linked }: SuiteRead,
  { signal, shared, listWanted }: ObtainTools,
): Promise<SuiteExports> {
  const obtained = listOwn(reader, linked) ?? shared
  const wanted = 'plan' in linked ? await listWanted(linked) : []
  const key = [linked.path ?? nodeId, ...wanted.map(({ pointer }) => pointer)].join('\0')
  const known = obtained.get(key)
  if (known) return { ...(await known), problems: [] }
  const running =
    'plan' in linked
      ? runExporter(reader, { nodeId, linked, wanted }, signal)
      : Promise.resolve(reportUnloaded(reader, nodeId, linked))
  obtained.set(key, running)
  return running
}

/** The exports obtained in a reader's own application, where those from another application are useless. */
export function listOwn({ obtained }: SuiteSession, linked: SuiteRead['linked']): SuiteSession['obtained'] {
  return 'plan' in linked && linked.app ? obtained : undefined
}

function reportUnloaded({ plan }: SuiteSession, nodeId: string, { message: why }: Error): SuiteExports {
  const message = `The suite \`${nodeId}\`, which this one needs, could not be loaded.\n${why}`
  return { ...UNLOADED, problems: [{ message, at: plan.at }] }
}

/** Runs the wanted steps, in each row. The last row's exports count. */
async function runExporter(
  reader: SuiteSession,
  { nodeId, linked, wanted }: { nodeId: string; linked: LinkedPlan; wanted: readonly StepPlan[] },
  signal: AbortSignal | undefined,
): Promise<SuiteExports> {
  const { at } = reader.plan
  const { plan } = linked
  const problems: PlacedMessage[] = []
  let exports = NOTHING
  try {
    // What they need runs too, whatever the option `prerequisites` says of chosen steps.
    const prerequisites = reader.options.prerequisites === 'all' ? 'all' : 'needed'
    for (const row of plan.each ?? [undefined]) {
      const session = reader.openOther(linked, { prerequisites, row })
      // Even a session that could not start may have set the clock or opened its mocks.
      await session.runFor(wanted, signal).finally(() => session.finish())
      // Problems of another suite are reported at the suite that reads it.
      for (const problem of session.problems)
        problems.push({ message: `${showPosition(plan.file, problem.at)}: ${problem.message}`, at })
      exports = describeExports(session)
    }
    return { ...exports, problems }
  } catch (error) {
    const failure = `could not be run: ${readMessage(error)}`
    const message = `The suite \`${nodeId}\`, which this one reads, ${failure}`
    return { ...exports, failure: `it ${failure}`, problems: [...problems, { message, at }] }
  }
}

/** What a session provides to others: the exports with a value, and those that are missing or whose step failed. */
export function describeExports({ plan, run, records }: SuiteSession): SuiteExports {
  const values: JsonObject = Object.create(null)
  const missing = new Map<string, Absence>()
  // Variables may depend on what the last step captured.
  if (run) resolveSuiteVariables(run)
  const hasFailed = (step: StepPlan): boolean => records.outcomes(step).some((one) => one.failures[0])
  for (const name of plan.exports) {
    const layer = run && (Object.hasOwn(run.captures, name) ? run.captures : run.variables)
    const value = layer && readOwn(layer, name)
    if (value !== undefined) values[name] = value
    const [absence] = followExport(plan, name).flatMap((each) => run?.absent.get(each) ?? [])
    const providers = listProviders(plan, [name])
    const isMissed = (step: StepPlan): boolean => describeStep(step) === absence?.provider
    const missed = value === undefined ? (providers.find(isMissed) ?? providers[0]) : undefined
    const failed = providers.filter(hasFailed)
    const blamed = failed.find((step) => !step.continueOnFailure) ?? missed
    // Readers run without what a step with `continue_on_failure` did not give, as steps of its own suite do.
    if (failed.length > 0 && !absence && (!blamed || blamed === missed)) continue
    const provider = blamed
      ? `step “${blamed.name}” (${plan.file}:${blamed.at[0]})`
      : `the suite \`${plan.nodeId}\``
    // A step that a failure elsewhere left out says which step failed: in a chain of suites, the first.
    const reason = missed && !absence?.isSoft && records.outcomes(missed)[0]?.result.skip_reason
    const why = reason
      ? `did not provide, because it was skipped: ${placeReason(reason.replace(/^.*because it was skipped: /, ''), plan.file)}`
      : (absence?.why ?? 'did not provide')
    if (value === undefined) missing.set(name, { ...absence, why, provider })
    else if (blamed) missing.set(name, { why: 'captured, but it failed', provider })
  }
  return { values, missing, problems: [] }
}

export const NOTHING: SuiteExports = { values: Object.create(null), missing: new Map(), problems: [] }

export const UNLOADED: SuiteExports = { ...NOTHING, failure: 'it could not be loaded' }
