import type { JsonObject } from '../src/json.ts'
import { readOnFailureOf } from '../src/run/record-outcome.ts'
import type { StepPlan } from '../src/suite/plan.ts'
import { claimSuite } from './claim-suite.ts'
import type { Published } from './export-board.ts'
import { listNeededSuites } from './list-roots.ts'
import { runProducer } from './run-producer.ts'
import type { Session } from './session-interface.ts'
import type { SuiteProblem } from './unreported.ts'

/** Values of other suites, why some of those suites gave nothing, and what failed in one that nobody reports. */
export type ForeignExports = {
  exports: Record<string, JsonObject>
  missing: Map<string, string>
  /** Why no step can run. */
  stopped?: string
  problems: SuiteProblem[]
}

/**
 * Gets the exports of every suite that some steps read or that their suite depends on. A suite that nobody runs is run
 * here, unreported; one that runs elsewhere is waited for. If one failed, none of the steps runs.
 */
export async function loadExports(
  session: Session,
  { selected, signal }: { selected: readonly StepPlan[]; signal: AbortSignal | undefined },
): Promise<ForeignExports> {
  const { plan, links } = session
  const foreign: ForeignExports = { exports: Object.create(null), missing: new Map(), problems: [] }
  for (const nodeId of listNeededSuites(plan, selected, session.calls)) {
    if (!Object.hasOwn(links.plans, nodeId)) continue
    const { published, problems } = await obtain(session, nodeId, signal)
    foreign.exports[nodeId] = published.values as JsonObject
    foreign.problems.push(...problems)
    if (published.failure === undefined) continue
    foreign.missing.set(nodeId, `the suite \`${nodeId}\` (${published.failure})`)
    if (readOnFailureOf(plan, session.options.environment.settings) !== 'continue')
      foreign.stopped ??= `needs the suite \`${nodeId}\`: ${published.failure}`
  }
  return foreign
}

type Obtained = { published: Published; problems: SuiteProblem[] }

async function obtain(session: Session, nodeId: string, signal: AbortSignal | undefined): Promise<Obtained> {
  const claim = await claimSuite(session, nodeId, signal)
  if (claim.state === 'done') return { published: claim.published, problems: [] }
  return runProducer(session, { nodeId, claim, signal })
}
