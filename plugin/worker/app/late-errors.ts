// The global `setImmediate` may be fake, and then a hook around a suite would wait forever.
import { setImmediate } from 'node:timers/promises'
import { inspect } from 'node:util'
import { isError } from '../../../src/errors.ts'
import { dropOwnFrames } from '../../contract/package-files.ts'

const EVENTS = ['unhandledRejection', 'uncaughtException'] as const

/** How long a step may go on after an unhandled error, in ms. A server in its own process would have died. */
const PATIENCE = 1000

type Watcher = (error: unknown) => void

const watchers = {
  steps: new Set<Watcher>(),
  /** Of what the application prepares. */
  start: new Set<Watcher>(),
  /** Of the time between. */
  idle: new Set<Watcher>(),
}
let others: (readonly [string, Function[]])[] = []

/** The first group that has watchers gets the errors. While there is one, Vitest gets none and fails no run. */
function findWatchers(): Set<Watcher> | undefined {
  return Object.values(watchers).find(({ size }) => size > 0)
}

function notify(error: unknown): void {
  for (const watcher of findWatchers() ?? []) watcher(error)
}

function listen(watcher: Watcher, among: keyof typeof watchers): () => void {
  if (!findWatchers()) others = EVENTS.map((event) => [event, process.rawListeners(event)] as const)
  // Also removes those that the application has added since: they could end this thread too early.
  for (const event of EVENTS) process.removeAllListeners(event).on(event, notify)
  watchers[among].add(watcher)
  return () => {
    if (!watchers[among].delete(watcher) || findWatchers()) return
    for (const [event, listeners] of others) {
      process.removeAllListeners(event)
      for (const listener of listeners) process.on(event, listener as () => void)
    }
  }
}

/** A watch for errors. `signal` is aborted if the step has not ended within a second after one. */
export type LateErrors = {
  signal: AbortSignal
  /** Waits for the errors of this turn and resolves to descriptions of all since the last call. */
  end(): Promise<string[]>
  close(): void
}

/** Collects the application's unhandled errors while a step runs or, with `idle`, while none does. Each running step gets them. */
export function watchLateErrors(among: 'steps' | 'idle' = 'steps'): LateErrors {
  let limit: NodeJS.Timeout | undefined
  const stop = new AbortController()
  const errors: string[] = []
  const watcher: Watcher = (error) => {
    const told = `The application threw an unhandled error: ${listStacks(error).join('\nCaused by: ')}${adviseOn(error)}`
    if (!errors.includes(told)) errors.push(told)
    const reason = `it had not ended ${PATIENCE} ms after that error.`
    limit ??= setTimeout(() => stop.abort(new Error(reason)), PATIENCE).unref()
  }
  const ignore = listen(watcher, among)
  return {
    signal: stop.signal,
    async end() {
      // A rejection is reported after the microtasks of its turn have run.
      await setImmediate()
      return errors.splice(0)
    },
    close() {
      ignore()
      clearTimeout(limit)
    },
  }
}

/** Errors that have stopped nothing yet of what is prepared. */
const early = new Set<unknown>()

/**
 * Waits for what an application prepares. Rejects with its unhandled error if that has not ended a second after one: a
 * server that cannot listen never tells the module that awaits it. An error without effect is handed on. Errors while steps
 * run are theirs.
 */
export async function unlessUnhandled<Value>(prepared: Promise<Value>): Promise<Value> {
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  let limit: NodeJS.Timeout | undefined
  const ignore = listen((error) => {
    early.add(error)
    limit ??= setTimeout(() => {
      early.delete(error)
      reject(error)
    }, PATIENCE)
  }, 'start')
  return Promise.race([prepared, stopped]).finally(() => {
    clearTimeout(limit)
    ignore()
    if (watchers.start.size > 0) return
    const errors = [...early]
    early.clear()
    for (const error of errors) process.emit('uncaughtException', error as Error)
  })
}

function listStacks(error: unknown, depth = 0): string[] {
  if (!isError(error) || depth > 3) return [inspect(error, { depth: 1 })]
  const { name, errors } = error as AggregateError
  const causes = name === 'AggregateError' && Array.isArray(errors) ? errors : [error.cause ?? []].flat()
  return [dropOwnFrames(String(error.stack)), ...causes.flatMap((each) => listStacks(each, depth + 1))]
}

/** What to do about an error of the application that suites alone cause. */
export function adviseOn(error: unknown): string {
  if (!isError(error) || !('code' in error) || error.code !== 'EADDRINUSE') return ''
  return '\nsuitecase starts the application on a free port. If the module of the option `app` calls `listen`, move that into another file that imports it.'
}
