import { stringifyJson } from '../json.ts'
import { EngineError } from './errors.ts'
import type { ExpressionEngine, ExpressionValues } from './expression-engine.ts'

/** How expressions are run. */
export type EngineOptions = {
  /** Limit in ms for one expression or pattern. @default 1000 */
  timeout?: number
  /**
   * `vm` guards against accidents and hostile response text; `quickjs` also against hostile suites (a WebAssembly
   * engine without a shared heap, needs the package `quickjs-emscripten`). @default 'vm'
   */
  sandbox?: 'vm' | 'quickjs'
  /** Whole number of MB, 16 to 2048, that the `quickjs` sandbox may use in all; `vm` has no limit. @default 32 */
  memoryLimit?: number
}

/** Creates an engine. Rejects with an `EngineError` when the chosen sandbox is not installed or an option is wrong. */
export async function createEngine(options: EngineOptions = {}): Promise<ExpressionEngine> {
  const { timeout = 1000, sandbox = 'vm', memoryLimit = 32 } = options
  checkNumber('timeout', timeout, { least: 1, most: 2 ** 31 - 1 })
  checkNumber('memoryLimit', memoryLimit, { least: 16, most: 2048 })
  if (sandbox === 'vm') {
    const { createVmEngine } = await import('./sandbox/vm-engine.ts')
    return createVmEngine(timeout)
  }
  if (sandbox === 'quickjs') {
    const { createQuickjsEngine } = await import('./sandbox/quickjs-engine.ts')
    return createQuickjsEngine(timeout, memoryLimit)
  }
  throw new EngineError(
    'setup',
    `Expected the \`sandbox\` option to be vm or quickjs, got \`${String(sandbox)}\``,
  )
}

/**
 * Evaluates a condition. Passes only for the boolean true; `value` shows what came instead, a thrown error or a result
 * that is not data included. Throws a `TemplateError` when the source is not an expression.
 */
export function evaluateCondition(
  engine: ExpressionEngine,
  source: string,
  values: ExpressionValues,
): { passed: boolean; value: string } {
  try {
    const value = engine.evaluate(source, values)
    return { passed: value === true, value: value === undefined ? 'undefined' : cut(stringifyJson(value)) }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return { passed: false, value: error.code === 'not_data' ? error.shown : error.message }
  }
}

function checkNumber(name: string, value: unknown, { least, most }: { least: number; most: number }): void {
  if (Number.isInteger(value) && (value as number) >= least && (value as number) <= most) return
  const got = `\`${String(value)}\` (${typeof value})`
  throw new EngineError(
    'setup',
    `Expected the \`${name}\` option to be an integer from ${least} to ${most}, got ${got}`,
  )
}

function cut(text: string): string {
  return text.length > 500 ? `${text.slice(0, 500)}…` : text
}
