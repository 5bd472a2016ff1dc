// Those of the global object may be fakes, which a hook around a suite would wait for without end.
import { setImmediate } from 'node:timers'

const EVENTS = ['unhandledRejection', 'uncaughtException'] as const

/** ms that the application has for its answer after an error that nobody handled: as a process of its own it would have ended. */
const PATIENCE = 1000

/** Takes an error, with how many take it. */
type Watcher = (error: unknown, takers: number) => void

/** Those who want the errors that nobody handles; while there are any, Vitest, which would fail the run, does not hear of them. */
const watchers = new Set<Watcher>()
/** Those who want the errors that come while no step runs. */
const idle = new Set<Watcher>()
let others: (readonly [string, Function[]])[] = []

function notify(error: unknown): void {
  const takers = watchers.size > 0 ? watchers : idle
  for (const watcher of takers) watcher(error, takers.size)
}

function listen(watcher: Watcher, among: Set<Watcher>): () => void {
  if (watchers.size + idle.size === 0) {
    others = EVENTS.map((event) => [event, process.rawListeners(event)] as const)
    for (const event of EVENTS) process.removeAllListeners(event).on(event, notify)
  }
  among.add(watcher)
  return () => {
    if (!among.delete(watcher) || watchers.size + idle.size > 0) return
    for (const [event, listeners] of others) {
      process.removeListener(event, notify)
      for (const listener of listeners) process.on(event, listener as () => void)
    }
  }
}

/** A watch for errors; `signal` is aborted when the application still does not answer a second after one. */
export type LateErrors = {
  signal: AbortSignal
  /** Waits for those of this turn, and tells all in words. */
  end(): Promise<string[]>
  close(): void
}

/**
 * Takes the errors that the application throws into the void while a step runs. Of steps that run at the same moment each
 * gets the error: nobody can tell whose it is.
 */
export function watchLateErrors(): LateErrors {
  let limit: NodeJS.Timeout | undefined
  const stop = new AbortController()
  const errors: string[] = []
  const ignore = listen((error, takers) => {
    errors.push(describeLateError(error, takers))
    const reason = `no answer came within ${PATIENCE} ms of that error.`
    limit ??= setTimeout(() => stop.abort(new Error(reason)), PATIENCE).unref()
  }, watchers)
  return {
    signal: stop.signal,
    async end() {
      // A rejection is reported once the microtasks of its turn have run.
      await new Promise((resolve) => setImmediate(resolve))
      return errors
    },
    close() {
      ignore()
      clearTimeout(limit)
    },
  }
}

/** Takes the errors that come while no step runs; the function that it returns ends that and tells them, in words. */
export function watchIdleErrors(): () => Promise<string[]> {
  const errors: string[] = []
  const ignore = listen((error) => errors.push(describeLateError(error)), idle)
  return async () => {
    await new Promise((resolve) => setImmediate(resolve))
    ignore()
    return errors.splice(0)
  }
}

function describeLateError(error: unknown, takers = 1): string {
  const whose =
    takers > 1 ? `, while ${takers} steps of different suites ran: \`concurrency: 1\` tells whose it is` : ''
  return `The application threw an error that nobody handled${whose}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
}
