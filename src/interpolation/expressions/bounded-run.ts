import { constants, createContext, Script } from 'node:vm'

const runScript = new Script('run()', { filename: 'bounded' })
let context: { run?: () => void } | undefined

/**
 * Runs our own host code over untrusted input, such as a regular expression, for at most `timeout` ms. Returns `undefined`
 * when the time is up. Costs about 60 µs.
 */
export function runBounded<Value>(timeout: number, task: () => Value): { value: Value } | undefined {
  // A separate context: one that holds our function must never run anything else.
  context ??= createContext(constants.DONT_CONTEXTIFY) as { run?: () => void }
  let result: { value: Value } | undefined
  context.run = () => {
    result = { value: task() }
  }
  try {
    runScript.runInContext(context, { timeout })
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    return undefined
  } finally {
    delete context.run
  }
  return result
}
