import type { JsonObject } from '../src/json.ts'
import type { Claim, Published } from './export-board.ts'
import { sendMessage } from './send-message.ts'
import { SuiteSession } from './session.ts'

/** Values of other suites, and why some of those suites gave nothing. */
export type ForeignExports = { exports: Record<string, JsonObject>; missing: Map<string, string> }

/**
 * Gets the exports of every suite that a suite reads or depends on. A suite that nobody has started yet is run
 * here, unreported; one that runs elsewhere is waited for.
 */
export async function loadExports(session: SuiteSession): Promise<ForeignExports> {
  const foreign: ForeignExports = { exports: Object.create(null), missing: new Map() }
  const { plan, links } = session
  const wanted = new Set([...plan.depends, ...plan.foreign.map(({ root }) => root)])
  for (const [nodeId, load] of Object.entries(links.plans)) {
    if (!wanted.has(nodeId)) continue
    const linked = (await load()).default
    const published = await obtain(session, { ...linked, nodeId })
    foreign.exports[nodeId] = published.values as JsonObject
    const absent = linked.plan.exports.filter((name) => !Object.hasOwn(published.values, name))
    if (published.failure && (absent.length > 0 || plan.depends.includes(nodeId)))
      foreign.missing.set(nodeId, `the suite \`${nodeId}\` (${published.failure})`)
  }
  return foreign
}

async function obtain(
  session: SuiteSession,
  linked: { plan: SuiteSession['plan']; links: SuiteSession['links']; nodeId: string },
): Promise<Published> {
  const { import: importModule } = session.links
  const claim = (await sendMessage(importModule, { kind: 'claim', nodeId: linked.nodeId })) as Claim
  if (claim.state === 'done') return claim.published
  const producer = new SuiteSession(linked, {
    environment: session.options.environment,
    prerequisites: 'all',
    seed: session.options.seed,
    claims: false,
  })
  try {
    const published = await producer.runAll()
    await sendMessage(importModule, { kind: 'publish', nodeId: linked.nodeId, published })
    return published
  } catch (error) {
    // Whoever waits for this suite must hear of it before the error goes on.
    const failure = `it could not be run: ${error instanceof Error ? error.message : String(error)}`
    await sendMessage(importModule, {
      kind: 'publish',
      nodeId: linked.nodeId,
      published: { values: {}, failure },
    })
    throw error
  }
}
