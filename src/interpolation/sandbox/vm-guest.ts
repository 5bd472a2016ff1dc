import { constants, createContext, Script } from 'node:vm'
import { EngineError } from '../errors.ts'
import type { Guest, Outcome, Primitive } from './guest.ts'
import { guestSource } from './guest-source.ts'
import { answerSandbox } from './host-functions.ts'

type Calls = Pick<Guest, 'load' | 'drop'> & {
  define(program: number, compiled: unknown): void
  prepare(...spec: Primitive[]): void
  evaluate(...spec: Primitive[]): Outcome
}

const bootScript = new Script(guestSource, { filename: 'expression-sandbox' })
const runScript = new Script('run()', { filename: 'expression' })

/**
 * Creates a sandbox in a V8 context of its own: no host object inside, no code from strings, microtasks drained within
 * the timed run. An accident guard, not a security boundary against the suite's author; it bounds time, not memory.
 */
export function createVmGuest(timeout: number): Guest {
  const context = createContext(constants.DONT_CONTEXTIFY, {
    name: 'expressions',
    codeGeneration: { strings: false, wasm: false },
    microtaskMode: 'afterEvaluate',
  })
  const boot = bootScript.runInContext(context) as (answer: typeof answerSandbox) => Calls
  const calls = boot(answerSandbox)
  return {
    define(program, source) {
      calls.define(program, compile(source).runInContext(context))
    },
    load: calls.load,
    drop: calls.drop,
    evaluate(spec, bounded) {
      if (!bounded) return calls.evaluate(...spec)
      calls.prepare(...spec)
      try {
        return runScript.runInContext(context, { timeout }) as Outcome
      } catch (error) {
        if ((error as { code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
        const message = `It ran longer than ${timeout} ms (option \`limits.expression\`)`
        throw new EngineError('timeout', message)
      }
    },
    // Nothing outside holds on to the context.
    dispose() {},
  }
}

function compile(source: string): Script {
  try {
    return new Script(source, { filename: 'expression' })
  } catch (error) {
    throw new EngineError(
      'syntax',
      `It cannot be compiled: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}
