import type { Problem } from '../../../src/errors.ts'
import type { SuitePlan } from '../../../src/suite/plan/plan.ts'
import { findOther, loadOther, type OtherSuite, type SuiteLookup } from './suite-lookup.ts'

/** The problem of a suite that needs itself over another suite, which it needs by a name. */
export async function findCycle(
  suites: SuiteLookup,
  { plan, path, name, file }: { plan: SuitePlan; path: string; name: string; file: string },
): Promise<Problem[]> {
  const trail = await findTrail(suites, { from: await loadOther(suites, file), to: path, seen: new Set() })
  if (!trail) return []
  const range =
    plan.needs.find(({ suite }) => suite === name)?.range ??
    plan.foreign.find(({ root }) => root === name)?.range ??
    plan.nodeIdRange
  return [
    {
      code: 'dependency-cycle',
      severity: 'error',
      message: `These suites form a cycle: ${[path, ...trail].map((each) => suites.show(each)).join(' → ')}.`,
      hint: 'Move what they share into a suite of its own.',
      range,
    },
  ]
}

type Search = { from: OtherSuite | undefined; to: string; seen: Set<string> }

/** The way from a suite over those that each needs to another, both included; undefined when there is none. */
async function findTrail(suites: SuiteLookup, { from, to, seen }: Search): Promise<string[] | undefined> {
  if (!from || seen.has(from.file)) return undefined
  if (from.file === to) return [to]
  seen.add(from.file)
  const { plan } = from
  const names = plan ? [...plan.needs.map(({ suite }) => suite), ...plan.foreign.map(({ root }) => root)] : []
  for (const name of new Set(names)) {
    const next = plan && (await findOther(suites, name, plan))
    const trail = await findTrail(suites, { from: next, to, seen })
    if (trail) return [from.file, ...trail]
  }
  return undefined
}
