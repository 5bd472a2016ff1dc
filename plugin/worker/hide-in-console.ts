import type { WorkerGlobalState } from 'vitest'
import { createSuiteRedactor } from '../../src/secrets/suite-redactor.ts'
import { known } from './session/known-secrets.ts'

type Log = Parameters<WorkerGlobalState['rpc']['onUserConsoleLog']>[0]

const hidden = new WeakSet<object>()

/** Hides in what a worker prints from now on the secrets that its suites know by then. */
export function hideInConsole(state: WorkerGlobalState): void {
  const { rpc, providedContext } = state
  if (hidden.has(rpc)) return
  const redactor = createSuiteRedactor({ redact: [] }, providedContext.suitecase.redact, known)
  const print = (log: Log): unknown =>
    rpc.onUserConsoleLog({ ...log, content: redactor.redactText(log.content) })
  state.rpc = new Proxy(rpc, {
    get: (calls, name) => (name === 'onUserConsoleLog' ? print : Reflect.get(calls, name)),
  })
  hidden.add(state.rpc)
}
