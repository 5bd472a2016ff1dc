import type { PlacedMessage } from '../../../src/errors.ts'
import type { JsonObject } from '../../../src/json.ts'
import { readOnFailure } from '../../../src/run/record-outcome.ts'
import type { Absence, SuiteRun } from '../../../src/run/suite-run.ts'
import type { ForeignRead, StepPlan, SuitePlan } from '../../../src/suite/plan/plan.ts'
import type { LinkedPlan } from '../session/links.ts'

/** What a suite provides to others once it has run. */
export type SuiteExports = {
  values: JsonObject
  /** Exports that are missing or come from a failed step, and why. */
  missing: ReadonlyMap<string, Absence>
  /** Why the suite did not run at all. */
  failure?: string
  /** Failures that no test reports. */
  problems: readonly PlacedMessage[]
}

/** The exports of suites that ran on behalf of readers, by file and steps. */
export type Obtained = Map<string, Promise<SuiteExports>>

/** A suite that another one reads, by its node id: with its plan, or why it could not be loaded. */
export type SuiteRead = { nodeId: string; linked: LinkedPlan | (Error & { path?: string }) }

/** What other suites provide to a run, or fail to. `stopped` says why no step can run. */
type ForeignExports = Pick<SuiteRun, 'absent' | 'stopped'> & {
  exports: Record<string, JsonObject>
  problems: PlacedMessage[]
}

export async function loadExports(
  { plan, open, environment }: LinkedPlan & Pick<SuiteRun, 'environment'>,
  steps: ReadonlySet<StepPlan>,
  obtain: (read: SuiteRead) => Promise<SuiteExports>,
): Promise<ForeignExports> {
  const foreign: ForeignExports = { exports: Object.create(null), absent: new Map(), problems: [] }
  for (const nodeId of new Set(listForeign(plan, steps).map(({ root }) => root))) {
    const linked = await open(nodeId)?.catch((error: Error) => error)
    if (!linked) continue
    const { values, missing, failure, problems } = await obtain({ nodeId, linked })
    foreign.exports[nodeId] = values
    foreign.problems.push(...problems)
    for (const [name, absence] of missing) foreign.absent.set(`${nodeId}.${name}`, absence)
    if (failure === undefined) continue
    foreign.absent.set(nodeId, { provider: `the suite \`${nodeId}\` (${failure})`, why: 'did not provide' })
    const isStopping = readOnFailure({ plan, environment }) !== 'continue' && plan.depends.includes(nodeId)
    if (isStopping) foreign.stopped ??= `needs the suite \`${nodeId}\`: ${failure}`
  }
  return foreign
}

/** What these steps and the suite as a whole need of other suites: an export or, without a name, all of a suite. */
export function listForeign(
  { depends, foreign }: SuitePlan,
  steps: ReadonlySet<StepPlan>,
): Pick<ForeignRead, 'root' | 'name'>[] {
  const own = new Set([undefined, ...Array.from(steps, ({ pointer }) => pointer)])
  return [...depends.map((root) => ({ root })), ...foreign.filter(({ step }) => own.has(step))]
}
