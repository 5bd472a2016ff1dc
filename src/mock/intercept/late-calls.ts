import { AsyncLocalStorage } from 'node:async_hooks'
import type { Server } from 'node:http'
import { createRefusal } from './connection-errors.ts'

/** A suite that answers what the application sends, and which addresses are its own. */
type Suite = { suite: string; isOwn: (origin: URL) => boolean }
type Cause = Suite & { hasEnded: boolean; told: Set<string> }

/** The suite for whose request the application works. */
const causes = new AsyncLocalStorage<Cause>()
let current: Cause | undefined
let isWatching = false

/** From now on, calls that an application of this thread makes for a suite after its end are refused. */
export function watchLateCalls(): void {
  isWatching = true
}

/** Whether calls that come after the end of their suite are to be seen. */
export function watchesLateCalls(): boolean {
  return isWatching
}

/** Attributes requests to a suite until the returned function is called; calls of the application for them are late then. */
export function beginSuite({ suite, isOwn }: Suite): () => void {
  const cause: Cause = { suite, isOwn, hasEnded: false, told: new Set() }
  current = cause
  return () => {
    cause.hasEnded = true
    if (current === cause) current = undefined
  }
}

/** Keeps in mind which suite's request a server works on, over all that it awaits. */
export function attributeRequests(server: Server): void {
  const emit = server.emit.bind(server) as (...args: unknown[]) => boolean
  server.emit = (event: string, ...args: unknown[]) =>
    current && (event === 'request' || event === 'upgrade')
      ? causes.run(current, () => emit(event, ...args))
      : emit(event, ...args)
}

/** True where the application works for a suite that has ended. */
export function isLate(): boolean {
  return isWatching && causes.getStore()?.hasEnded === true
}

/** The error that ends a late call; undefined for any other call. Each address is told once. */
export function refuseLateCall(url: URL): Error | undefined {
  const cause = causes.getStore()
  if (!isLate() || !cause || cause.isOwn(url)) return undefined
  if (!cause.told.has(url.origin)) {
    cause.told.add(url.origin)
    console.warn(
      `suitecase: The application called ${url.origin} for the suite \`${cause.suite}\` when that suite had ended, so the call was refused. ` +
        'Let the last step wait for it, with `delay_ms` or `retry.until`.',
    )
  }
  return createRefusal('the suite that caused this call has ended')
}
