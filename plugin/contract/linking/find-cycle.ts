import type { Problem } from '../../../src/errors.ts'
import type { Place } from '../../../src/source.ts'
import type { SuitePlan } from '../../../src/suite/plan/plan.ts'
import { loadOther, type SuiteLookup } from './suite-lookup.ts'

/** The problem of a suite that needs itself over the suites that it needs, of which one is given. */
export async function findCycle(
  suites: SuiteLookup,
  { plan, path, name, file }: { plan: SuitePlan; path: string; name: string; file: string },
): Promise<Problem[]> {
  const trail = await findTrail(suites, file, path)
  if (!trail) return []
  const range: Place =
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

async function listNeeded(suites: SuiteLookup, path: string): Promise<string[]> {
  const plan = await loadOther(suites, path)
  if (typeof plan === 'string') return []
  const names = new Set([...plan.needs.map(({ suite }) => suite), ...plan.foreign.map(({ root }) => root)])
  const files = await Promise.all([...names].map((name) => suites.find(name, plan.folder)))
  return files.filter((file) => file !== undefined)
}

/** The shortest way from one suite over those that each needs to another, both included; undefined when there is none. */
async function findTrail(suites: SuiteLookup, from: string, to: string): Promise<string[] | undefined> {
  const cameFrom = new Map<string, string | undefined>([[from, undefined]])
  // A map is walked while it grows: breadth first.
  for (const path of cameFrom.keys()) {
    if (path === to) return readTrail(cameFrom, to)
    for (const next of await listNeeded(suites, path)) if (!cameFrom.has(next)) cameFrom.set(next, path)
  }
  return undefined
}

function readTrail(cameFrom: ReadonlyMap<string, string | undefined>, to: string): string[] {
  const trail: string[] = []
  for (let path: string | undefined = to; path !== undefined; path = cameFrom.get(path)) trail.unshift(path)
  return trail
}
