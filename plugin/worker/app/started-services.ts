import { resolve } from 'node:path'
import { isError, readMessage } from '../../../src/errors.ts'
import { runAsApplication } from '../../../src/mock/network.ts'
import { within } from '../../../src/run/wait.ts'
import type { JsonObject } from '../../../src/json.ts'
import { listSteps, type SuitePlan } from '../../../src/suite/plan/plan.ts'
import { usesApp } from '../../contract/parcel.ts'
import type { WorkerOptions } from '../../contract/worker-options.ts'
import type { AppLink } from '../session/links.ts'
import { adviseOn, unlessUnhandled, type LateErrors } from './late-errors.ts'
import type { Listening } from './start-app.ts'

/** The echo server of this worker, started by the first suite that uses `{{echo_url}}`. */
let echo: Promise<Listening> | undefined

/** Applications of this worker by the export of their module, each started by the first suite that uses it. */
const apps = new Map<unknown, Promise<Listening>>()

/** Starts the echo server and application that a suite uses. Resolves to their addresses, and a function that ends what is its own. */
export async function startServices(plan: SuitePlan, app: AppLink | undefined) {
  const given: JsonObject = Object.create(null)
  if (plan.usesGiven.includes('echo_url')) {
    // oxlint-disable-next-line no-restricted-imports -- starts the server
    echo ??= import('../../../server/index.ts').then(({ startServer }) => startServer())
    given['echo_url'] = (await echo).url
  }
  const isSkipped = plan.skip === true || listSteps(plan).every(({ skip, todo }) => skip === true || todo)
  // A skipped suite still exports its variables.
  const isIdle = isSkipped && !plan.exports.some((name) => Object.hasOwn(plan.variables, name))
  if (!app || isIdle || !usesApp(plan)) return { given }
  const running = await runAsApplication(() => startApplication(app)).catch((thrown: unknown) => {
    if (!isError(thrown)) throw new Error(`The app did not start: it threw ${readMessage(thrown)}.`)
    const advice = adviseOn(thrown)
    // Each suite gets the same error. The message of some others cannot be set.
    if (!thrown.message.endsWith(advice)) thrown.message += advice
    throw thrown
  })
  given['app_url'] = running.url
  return { given, ...(app.per === 'suite' && { close: () => running.close() }) }
}

/** The application named in the options, if any. `load` imports its module. */
export function linkApp(
  { app, root }: Pick<WorkerOptions, 'app' | 'root'>,
  load: (path: string) => Promise<unknown>,
): AppLink | undefined {
  if (!app) return undefined
  let loading: Promise<unknown> | undefined
  return { per: app.per, load: () => (loading ??= loadApp(app.path, () => load(resolve(root, app.path)))) }
}

/** How long a module of the options may take to load, in ms: a large one is slow on a busy machine. */
export const loadLimit = 120_000

async function loadApp(path: string, load: () => Promise<unknown>): Promise<unknown> {
  const late = `The app did not start: its module ${path} was not loaded within ${loadLimit} ms. Does it await something that never resolves?`
  const module = (await within(load(), { ms: loadLimit }, late).catch((error: unknown) => {
    // Node's error names neither file nor line of what it cannot parse.
    if (!(error instanceof SyntaxError)) throw error
    const message = `The module ${path} of the option \`app\` could not be loaded: ${error.message}`
    throw new SyntaxError(message, { cause: error })
  })) as object
  if ('default' in module) return module.default
  const names = Object.keys(module)
  const found = names.length === 0 ? 'nothing' : `only ${names.map((name) => `\`${name}\``).join(', ')}`
  throw new TypeError(
    `The module ${path} of the option \`app\` has no default export: it exports ${found}. Write \`export default\` before the application, or in CommonJS \`module.exports = app\`.`,
  )
}

async function startApplication(app: AppLink): Promise<Listening> {
  const exported = await app.load()
  const { makesApp, startApp } = await import('./start-app.ts')
  const start = (): Promise<Listening> => unlessUnhandled(startApp(exported))
  if (app.per === 'run') {
    const running = apps.get(exported) ?? start()
    apps.set(exported, running)
    return running
  }
  if (makesApp(exported)) return start()
  throw new TypeError(
    "The option `app.per: 'suite'` needs a module whose default export is a function without parameters that creates a new application.",
  )
}

/** Closes the applications of this worker, then the watch for errors. Rejects with all that went wrong. */
export async function closeApps(late?: LateErrors): Promise<void> {
  // An application that did not start has nothing to close, and has already failed the suites that wanted it.
  const closing = [...apps.values()].map(async (app) => (await app.catch(() => undefined))?.close())
  apps.clear()
  const problems = (await Promise.allSettled(closing))
    .filter((each) => each.status === 'rejected')
    .map(({ reason }) => `The application under test could not be closed: ${readMessage(reason)}`)
  problems.push(...((await late?.end()) ?? []))
  late?.close()
  if (problems.length > 0) throw new Error(problems.join('\n'))
}

/** Closes everything that was started in this worker, like `closeApps`. */
export async function closeServices(late?: LateErrors): Promise<void> {
  const server = echo
  echo = undefined
  await closeApps(late).finally(async () => (await server)?.close())
}
