import type { JsonObject } from '../../../src/json.ts'
import { readOnFailure } from '../../../src/run/record-outcome.ts'
import type { StepPlan, SuitePlan } from '../../../src/suite/plan/plan.ts'
import type { Session } from './session-interface.ts'
import type { SuiteProblem } from '../../contract/suite-exports.ts'

/** Values of other suites, what some of those suites did not give, and what failed in one that nobody reports. */
export type ForeignExports = {
  exports: Record<string, JsonObject>
  /** Node id, or `<node_id>.<name>` → who did not give it, in words. */
  missing: Map<string, string>
  /** Why no step can run. */
  stopped?: string
  problems: SuiteProblem[]
}

/** Gets the exports of every suite that some steps read or that their suite depends on. */
export async function loadExports(
  session: Session,
  { selected, signal }: { selected: readonly StepPlan[]; signal: AbortSignal | undefined },
): Promise<ForeignExports> {
  const { plan, links, options } = session
  const foreign: ForeignExports = { exports: Object.create(null), missing: new Map(), problems: [] }
  for (const nodeId of listNeededSuites(plan, selected, session.calls)) {
    if (!links.plans.has(nodeId)) continue
    const { values, missing, failure, problems } = await options.obtain(session, nodeId, signal)
    foreign.exports[nodeId] = values
    foreign.problems.push(...problems)
    for (const [name, giver] of missing) foreign.missing.set(`${nodeId}.${name}`, giver)
    if (failure === undefined) continue
    foreign.missing.set(nodeId, `the suite \`${nodeId}\` (${failure})`)
    const isStopping = readOnFailure({ plan, environment: options.environment }) !== 'continue'
    if (isStopping && plan.depends.includes(nodeId))
      foreign.stopped ??= `needs the suite \`${nodeId}\`: ${failure}`
  }
  return foreign
}

/** Node ids of the suites that must have run before these steps: those the steps read, those the whole suite reads, and those it depends on. */
function listNeededSuites(
  plan: SuitePlan,
  steps: readonly StepPlan[],
  calls: ReadonlyMap<StepPlan, string>,
): Set<string> {
  const called = new Set(calls.values())
  const reads = new Set([...steps.flatMap((step) => step.reads), ...plan.reads])
  const foreign = plan.foreign.map(({ root }) => root).filter((root) => reads.has(root) && !called.has(root))
  return new Set([...plan.depends, ...foreign])
}
