import { stringifyJson, type Json } from '../../json.ts'
import { cut } from '../../text/show-value.ts'
import { EngineError } from '../errors.ts'
import { documentedGlobals, isExtensionFunction } from '../sandbox/extension-functions.ts'
import type { Outcome } from '../sandbox/guest.ts'
import { createProcessGuest } from '../sandbox/process-guest.ts'
import { loadQuickjs } from '../sandbox/quickjs-guest.ts'
import { createSession, readMarked } from '../sandbox/session.ts'
import { createVmGuest } from '../sandbox/vm-guest.ts'
import { parseExpression, type Expression } from '../syntax/expression.ts'
import { readName, type ExpressionEngine, type Names } from '../variables/scope.ts'
import { measureSize } from './measure.ts'
import { createPatternTest } from './pattern.ts'

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

/** What a direct run may cost: a tenth of a second and some 100 MB, and less where the time limit is short. */
const mostCost = 1e7
const costPerMillisecond = 1e4

/**
 * Creates an engine. With `vm` what is cheap over the data it reads runs in this thread, everything else in a process that
 * ends at the limits; a spent sandbox is replaced. Rejects with an `EngineError` when the chosen sandbox is not installed.
 */
export async function createEngine(options: EngineOptions = {}): Promise<ExpressionEngine> {
  const { timeout = 1000, sandbox = 'vm' } = options
  const { memoryLimit: memory = sandbox === 'vm' ? 512 : 32 } = options
  if (sandbox === 'quickjs') loadQuickjs()
  const direct = createSession(() => createVmGuest())
  const contained = createSession(() => createProcessGuest({ sandbox, timeout, memory }))
  const budget = Math.min(mostCost, timeout * costPerMillisecond)
  return {
    evaluate(source, names) {
      const expression = parseExpression(source)
      const promise = 'The result is a promise: `async` and `await` are not available'
      if (expression.isAsync) throw new EngineError('not_data', promise, 'a promise')
      const session = sandbox === 'vm' && isCheap(expression, names, budget) ? direct : contained
      return readOutcome(session.run(expression, names), expression, names)
    },
    test: createPatternTest(timeout),
    dispose() {
      direct.end()
      contained.end()
    },
  }
}

function isCheap(expression: Expression, names: Names, budget: number): boolean {
  // Functions of the user's own are here, and no limit holds for them.
  if (expression.reads.some(({ root }) => isExtensionFunction(root))) return true
  const cost = expression.estimateCost((root, path) => measureSize(readName(names, root, path)))
  return cost <= budget
}

function readOutcome([kind, payload]: Outcome, expression: Expression, names: Names): Json | undefined {
  if (kind === 'value') return payload
  if (kind === 'undefined') return undefined
  if (kind === 'json') return JSON.parse(payload as string) as Json
  if (kind === 'marked') return readMarked(payload as string)
  if (kind === 'refused') {
    const shown = String(payload)
    const hint = shown === 'NaN' ? ': a value in it is missing or is not a number' : ''
    throw new EngineError('not_data', `The result is ${shown}, not data${hint}`, shown)
  }
  const text = dropExcerpt(String(payload))
  const frozen = /read.only|not extensible/.test(text) ? ' (data stays as it is: copy it, `[...list]`)' : ''
  throw new EngineError('threw', text + frozen + listUnknown(expression, names))
}

/** V8 quotes some characters of a long text that is not JSON: part of a secret would not be recognised as one. */
function dropExcerpt(message: string): string {
  return message.replace(
    /, (?:\.\.\.".*"(?:\.\.\.)?|".*"\.\.\.) is not valid JSON$/s,
    ' in a text that is not valid JSON',
  )
}

/** Names that do not exist explain most errors. */
function listUnknown({ reads }: Expression, names: Names): string {
  const unknown = reads.flatMap(({ root, path }) => {
    const isKnown =
      path.length > 0 || documentedGlobals.has(root) || readName(names, root, path) !== undefined
    return isKnown ? [] : [`\`${root}\``]
  })
  return unknown.length === 0 ? '' : ` (not defined here: ${unknown.join(', ')})`
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
