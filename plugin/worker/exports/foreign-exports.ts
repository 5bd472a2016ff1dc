import type { PlacedMessage } from '../../../src/errors.ts'
import type { JsonObject } from '../../../src/json.ts'
import { readOnFailure } from '../../../src/run/record-outcome.ts'
import type { Absence, SuiteRun } from '../../../src/run/suite-run.ts'
import { listCalled, type ForeignRead, type StepPlan, type SuitePlan } from '../../../src/suite/plan/plan.ts'
import type { LinkedPlan } from '../session/links.ts'
import { listConcerned, listProviders, needsAll, type PrerequisiteRules } from '../session/prerequisites.ts'

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
function listForeign(
  { depends, foreign }: SuitePlan,
  steps: ReadonlySet<StepPlan>,
): Pick<ForeignRead, 'root' | 'name'>[] {
  const own = new Set([undefined, ...Array.from(steps, ({ pointer }) => pointer)])
  return [...depends.map((root) => ({ root })), ...foreign.filter(({ step }) => own.has(step))]
}

/** A suite, and the steps of it that a run or a test file has chosen. */
export type Chosen = { linked: LinkedPlan; steps: readonly StepPlan[] }

/** Resolves to the steps of a suite that provide what others read. */
export type ListWanted = (linked: LinkedPlan) => Promise<StepPlan[]>

/** Finds, once asked, which exports of other suites are read by chosen steps and those that run for them. */
export function findWanted(
  { prerequisites }: PrerequisiteRules,
  listChosen: () => Iterable<Chosen> | AsyncIterable<Chosen>,
): ListWanted {
  // Steps that run for others run what they need, whatever the option says of chosen ones.
  const rules = { prerequisites: prerequisites === 'none' ? 'needed' : prerequisites } as const
  /** `<path>\0<export>`, or `<path>\0` for all of a suite. */
  const keys = new Set<string>()
  const follow = async ({ plan, open }: LinkedPlan, chosen: readonly StepPlan[]): Promise<void> => {
    // A broken suite runs no steps, and reads nothing.
    const find = (suite: string): Promise<LinkedPlan | undefined> | undefined =>
      open(suite)?.catch(() => undefined)
    const steps = listConcerned(plan, chosen, rules)
    for (const { root, name } of listForeign(plan, steps)) {
      const provider = await find(root)
      const isAll = name === undefined || (provider && needsAll(provider.plan, rules))
      const key = `${provider?.path}\0${isAll ? '' : name}`
      if (!provider || keys.has(key)) continue
      keys.add(key)
      await follow(provider, listProviders(provider.plan, isAll ? undefined : [name]))
    }
    for (const { call } of steps) {
      const called = call && (await find(call.suite))
      if (called) await follow(called, listCalled(called.plan, call.step))
    }
  }
  const findAll = async (): Promise<void> => {
    for await (const { linked, steps } of listChosen()) if (steps.length > 0) await follow(linked, steps)
  }
  let finding: Promise<void> | undefined
  return async ({ path, plan }) => {
    await (finding ??= findAll())
    const isWanted = (name: string): boolean => keys.has(`${path}\0${name}`)
    return listProviders(plan, isWanted('') ? undefined : plan.exports.filter(isWanted))
  }
}
