import type { JsonObject } from '../src/json.ts'
import type { SuitePlan } from '../src/suite/plan.ts'
import type { RunningApp } from './app/running-app.ts'
import type { Links } from './links.ts'
import { usesApp } from './uses-app.ts'

/** Something that was started and has to be closed. */
type Closable = { url: string; close(): Promise<void> }

/** The echo server of this worker, started by the first suite that uses `{{echo_url}}`. */
let echo: Promise<Closable> | undefined

/** Applications of this worker by what their module exports, each started by the first suite that uses it. */
const apps = new Map<unknown, Promise<RunningApp>>()

/** True when a suite needs something that is started for it. */
export function needsServices(plan: SuitePlan, links: Links): boolean {
  return plan.usesGiven.includes('echo_url') || (links.app !== undefined && usesApp(plan))
}

/** Starts what a suite uses (echo server, application under test) and returns the addresses as variables. Rejects with the application's own error. */
export async function startServices(plan: SuitePlan, links: Links): Promise<JsonObject> {
  const given: JsonObject = Object.create(null)
  if (plan.usesGiven.includes('echo_url')) {
    echo ??= import('../server/index.ts').then(({ startServer }) => startServer())
    given['echo_url'] = (await echo).url
  }
  if (links.app && usesApp(plan)) given['app_url'] = (await startApplication(links)).url
  return given
}

/** Starts the application of a suite, once per worker. */
export async function startApplication(links: Links): Promise<RunningApp> {
  if (!links.app) throw new Error('There is no application to start: set the `app` option of suites().')
  const { watchConnections } = await import('../src/mock/stale-sockets.ts')
  // Connections an application opens while it is imported must be known to the mocks.
  watchConnections()
  const exported = (await links.app()).default
  const running =
    apps.get(exported) ?? import('./app/start-app.ts').then(({ startApp }) => startApp(exported))
  apps.set(exported, running)
  return running
}

/** Closes all that was started in this worker. */
export async function closeServices(): Promise<void> {
  const started = [...apps.values(), ...(echo ? [echo] : [])]
  apps.clear()
  echo = undefined
  // What did not start has nothing to close, and failed the suites that wanted it.
  const running = (await Promise.allSettled(started)).flatMap((each) =>
    each.status === 'fulfilled' ? [each.value] : [],
  )
  const closed = await Promise.allSettled(running.map((each) => each.close()))
  const errors = closed.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []))
  if (errors.length > 0) throw new AggregateError(errors, 'The application under test could not be closed.')
}
