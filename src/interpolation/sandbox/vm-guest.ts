import { constants, createContext, Script } from 'node:vm'
import { rememberTexts } from '../../remember.ts'
import type { Guest, Outcome } from './guest.ts'
import { guestSource } from './guest-source.ts'
import { answerSandbox } from './host-functions.ts'

type Calls = Pick<Guest, 'load'> & {
  globals: Readonly<Record<string, unknown>>
  evaluate(program: unknown, ...passed: unknown[]): Outcome
}

const bootScript = new Script(guestSource, { filename: 'expression-sandbox' })

/** Creates a sandbox in its own V8 context, without host objects: a guard against accidents, not against authors of suites. Has no limits. */
export function createVmGuest(answer: typeof answerSandbox = answerSandbox): Guest {
  const context = createContext(constants.DONT_CONTEXTIFY, {
    name: 'expressions',
    codeGeneration: { strings: false, wasm: false },
    microtaskMode: 'afterEvaluate',
  })
  const boot = bootScript.runInContext(context) as (answer: typeof answerSandbox) => Calls
  const calls = boot(answer)
  const compile = rememberTexts(
    5000,
    (source) => new Script(source, { filename: 'expression' }).runInContext(context) as object,
  )
  return {
    global: (name) => calls.globals[name],
    load: calls.load,
    evaluate: (program, passed) => calls.evaluate(compile(program), ...passed),
  }
}
