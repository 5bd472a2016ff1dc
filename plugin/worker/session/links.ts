import { listSteps, type StepPlan, type SuitePlan } from '../../../src/suite/plan/plan.ts'

/** The way from a suite to the others it names, and to the application under test. */
export type Links = {
  /** Node id (or file name, in a `call`) → that suite's plan and links. */
  plans: ReadonlyMap<string, () => Promise<LinkedPlan>>
  /** The application under test. */
  app?: AppLink | undefined
}

/** A suite's plan with its links in turn. */
export type LinkedPlan = { plan: SuitePlan; links: Links; path: string }

/** How to get the application under test. */
export type AppLink = {
  /** Imports its module and gives the default export. */
  load: () => Promise<unknown>
  /** One for all suites, or a fresh one for each. */
  per: 'run' | 'suite'
}

/** Node ids of the suites that the steps of a suite call: a `call` may name a file. */
export async function resolveCalls({
  plan,
  links,
}: Pick<LinkedPlan, 'plan' | 'links'>): Promise<Map<StepPlan, string>> {
  const calls = new Map<StepPlan, string>()
  for (const step of listSteps(plan)) {
    const load = step.call && links.plans.get(step.call.suite)
    if (load) calls.set(step, (await load()).plan.nodeId)
  }
  return calls
}
