import { stringifyJson } from '../../json.ts'
import { EngineError } from '../errors.ts'
import type { ExpressionEngine, Names } from '../variables/scope.ts'
import { createPatternTest } from './pattern.ts'
import { createGuestEngine } from '../sandbox/guest-engine.ts'
import { createProcessGuest } from '../sandbox/process-guest.ts'
import { loadQuickjs } from '../sandbox/quickjs-guest.ts'
import { createVmGuest } from '../sandbox/vm-guest.ts'
import { cut } from '../../text/show-value.ts'

/** How expressions are run. */
export type EngineOptions = {
  /** Limit in ms for one expression or pattern. @default 1000 */
  timeout?: number | undefined
  /**
   * `vm` guards against accidents and hostile response text; `quickjs` also against hostile suites (a WebAssembly
   * engine in a process of its own, needs the package `quickjs-emscripten`). @default 'vm'
   */
  sandbox?: 'vm' | 'quickjs' | undefined
  /** Whole number of MB, 16 to 2048, that expressions may use in all. @default 512 for `vm`, 32 for `quickjs` */
  memoryLimit?: number | undefined
}

/** Creates an engine. Rejects with an `EngineError` when the chosen sandbox is not installed. */
export async function createEngine(options: EngineOptions = {}): Promise<ExpressionEngine> {
  const { timeout = 1000, sandbox = 'vm' } = options
  const { memoryLimit = sandbox === 'vm' ? 512 : 32 } = options
  if (sandbox === 'quickjs') loadQuickjs()
  const contained = () => createProcessGuest({ sandbox, timeout, memory: memoryLimit })
  const makers = sandbox === 'vm' ? { direct: () => createVmGuest(), contained } : { contained }
  return { ...createGuestEngine(makers, timeout), test: createPatternTest(timeout) }
}

/**
 * Evaluates a condition. Passes only for the boolean true; `value` shows what came instead, a thrown error or a result
 * that is not data included, and `isStopped` that it took too long. Throws a `TemplateError` when the source is not an
 * expression.
 */
export function evaluateCondition(
  engine: ExpressionEngine,
  source: string,
  names: Names,
): { passed: boolean; value: string; isStopped?: boolean } {
  try {
    const value = engine.evaluate(source, names)
    return {
      passed: value === true,
      value: value === undefined ? 'undefined' : cut(stringifyJson(value), 500),
    }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    const value = error.code === 'not_data' ? error.shown : error.message
    return { passed: false, value, ...(error.code === 'timeout' && { isStopped: true }) }
  }
}
