import type { JsonObject } from '../src/json.ts'
import type { SuitePlan } from '../src/suite/plan.ts'
import type { Links } from './links.ts'

/** The echo server of this worker, started by the first suite that uses `{{echo_url}}`. */
let echo: Promise<{ url: string; close(): Promise<void> }> | undefined

/** Starts what a suite uses (echo server, application under test) and returns the addresses as variables. */
export async function startServices(plan: SuitePlan, links: Links): Promise<JsonObject> {
  const given: JsonObject = Object.create(null)
  void links
  if (plan.usesGiven.includes('echo_url')) {
    echo ??= import('../server/index.ts').then(({ startServer }) => startServer())
    given['echo_url'] = (await echo).url
  }
  return given
}
