import { constants, createContext, Script } from 'node:vm'
import { EngineError } from '../errors.ts'
import type { Guest, Outcome, Primitive } from './guest.ts'
import { guestSource } from './guest-source.ts'
import { answerSandbox } from './host-functions.ts'

type Calls = Pick<Guest, 'load' | 'drop'> & {
  define(program: number, compiled: unknown): void
  evaluate(...spec: Primitive[]): Outcome
}

const bootScript = new Script(guestSource, { filename: 'expression-sandbox' })

/**
 * Creates a sandbox in a V8 context of its own: no host object inside, no code from strings. An accident guard, not a
 * security boundary against the suite's author; it bounds neither time nor memory.
 */
export function createVmGuest(answer: typeof answerSandbox = answerSandbox): Guest {
  const context = createContext(constants.DONT_CONTEXTIFY, {
    name: 'expressions',
    codeGeneration: { strings: false, wasm: false },
    microtaskMode: 'afterEvaluate',
  })
  const boot = bootScript.runInContext(context) as (answer: typeof answerSandbox) => Calls
  const calls = boot(answer)
  return {
    define(program, source) {
      calls.define(program, compile(source).runInContext(context))
    },
    load: calls.load,
    drop: calls.drop,
    evaluate: (spec) => calls.evaluate(...spec),
    // Nothing outside holds on to the context.
    dispose() {},
  }
}

function compile(source: string): Script {
  try {
    return new Script(source, { filename: 'expression' })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new EngineError('syntax', `It cannot be compiled: ${reason}`)
  }
}
