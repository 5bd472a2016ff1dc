import type { WorkerGlobalState } from 'vitest'
import { isError, readMessage } from '../../../src/errors.ts'
import type { Redactor } from '../../../src/secrets/redactor.ts'
import { isSafeJson } from '../../../src/safe-json.ts'
import { createSecretSearch, type SecretSearch } from '../../../src/secrets/secret-search.ts'
import { createSuiteRedactor } from '../../../src/secrets/suite-redactor.ts'
import { dropOwnFrames } from '../../contract/package-files.ts'

/** The secrets found by all suites of this worker, so that none shows those of another. */
export const workerSecrets: SecretSearch = createSecretSearch()

/** Returns what was thrown, without secrets in its texts, members and causes, and without the frames of this package. */
export function hideInError(thrown: unknown, redactor: Redactor, seen = new Set<unknown>()): unknown {
  const hide = (value: unknown): unknown => hideInError(value, redactor, seen)
  if (typeof thrown === 'string') return redactor.redactText(thrown)
  if (Array.isArray(thrown) && thrown.some(isError)) return thrown.map(hide)
  if (!isError(thrown)) {
    if (isSafeJson(thrown)) return redactor.redactJson(thrown)
    if (typeof thrown !== 'object' || thrown === null) return thrown
    // A nested object, such as a socket, may lead to everything.
    if (seen.size > 0) return '[object]'
    seen.add(thrown)
    return Object.fromEntries(Object.entries(thrown).map(([key, value]) => [key, hide(value)]))
  }
  if (seen.has(thrown)) return thrown
  seen.add(thrown)
  try {
    // The message may hold a URL with a password.
    redactor.learn({ message: thrown.message })
    for (const key of new Set(['message', ...Object.getOwnPropertyNames(thrown)])) {
      const found: unknown = Reflect.get(thrown, key)
      const value = hide(key === 'stack' && typeof found === 'string' ? dropOwnFrames(found) : found)
      // Assigning would not do: the message of some errors is a getter.
      if (value !== found) Object.defineProperty(thrown, key, { value, writable: true })
    }
  } catch {
    // A member that has to change is read-only, or a getter throws.
    return new Error(redactor.redactText(readMessage(thrown)))
  }
  return thrown
}

const hidden = new WeakSet<object>()

/** Hides known secrets in the worker's later output: its console, unhandled errors, and stdout and stderr. */
export function hideInConsole(state: WorkerGlobalState): void {
  const { rpc, providedContext } = state
  if (hidden.has(rpc)) return
  const redactor = createSuiteRedactor({ redact: [] }, providedContext.suitecase.redact, workerSecrets)
  const own = {
    onUserConsoleLog: (log: Parameters<typeof rpc.onUserConsoleLog>[0]): unknown =>
      rpc.onUserConsoleLog({ ...log, content: redactor.redactText(log.content) }),
    // An error that arrives after all steps have ended, so no step can report it.
    onUnhandledError: (error: unknown, type: string): unknown =>
      rpc.onUnhandledError(hideInError(error, redactor), type),
  }
  state.rpc = new Proxy(rpc, { get: (calls, name) => Reflect.get(name in own ? own : calls, name) })
  hidden.add(state.rpc)
  for (const stream of [process.stdout, process.stderr].filter((each) => !hidden.has(each))) {
    const write = stream.write.bind(stream) as (...given: unknown[]) => boolean
    stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
      const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
      const shown = redactor.redactText(text)
      return write(shown === text ? chunk : shown, ...rest)
    }
    hidden.add(stream)
  }
}
