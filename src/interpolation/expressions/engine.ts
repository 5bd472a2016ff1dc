import { escapeControl } from '../../escape-control.ts'
import { parseJson, stringifyJson, type Json } from '../../json.ts'
import { rememberObjects } from '../../remember.ts'
import { cut } from '../../text/show-value.ts'
import { EngineError, type EngineErrorCode } from '../errors.ts'
import { documentedGlobals, extensionFunctions } from '../sandbox/extension-functions.ts'
import type { Outcome } from '../sandbox/guest.ts'
import { startProcess } from '../sandbox/process-guest.ts'
import { evaluateOnce } from '../sandbox/wait-for-calls.ts'
import { createSession, writeData } from '../sandbox/session.ts'
import { createVmGuest } from '../sandbox/vm-guest.ts'
import { parseExpression, type Expression } from '../syntax/expression.ts'
import { readName, type ExpressionEngine, type Names } from '../variables/scope.ts'
import { measureSize } from './measure.ts'
import { createPatternTest } from './pattern.ts'
import { defaultLimits } from '../../limits.ts'

export type EngineOptions = {
  /** Limit in ms for one expression or pattern. */
  timeout?: number | undefined
  /** `vm` guards against accidents and hostile responses; `quickjs`, in its own process, also against hostile suites. @default 'vm' */
  sandbox?: 'vm' | 'quickjs' | undefined
  /** Memory for all expressions together, in whole MB, 16 to 2048. @default 512 for `vm`, 32 for `quickjs` */
  memoryLimit?: number | undefined
}

/** The most that a run in this thread may cost: about 0.1 s and 100 MB, less if the time limit is short. */
const mostCost = 1e7
const costPerMillisecond = 1e4

/** Creates an engine. `vm` runs what is cheap for its data in this thread, all else in a process. */
export function createEngine(options: EngineOptions = {}): ExpressionEngine {
  const { timeout = defaultLimits.expression, sandbox = 'vm' } = options
  const { memoryLimit: memory = sandbox === 'vm' ? 512 : 32 } = options
  const direct = createSession(() => {
    const guest = createVmGuest()
    const copy = rememberObjects((data: Json & object) => guest.load(writeData(data)) as object)
    return { ...guest, copy: (data) => (typeof data === 'object' && data !== null ? copy(data) : data) }
  })
  const contained = createSession(() => startProcess({ sandbox, timeout, memory }))
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
    dispose: () => contained.end(),
  }
}

function isCheap(expression: Expression, names: Names, budget: number): boolean {
  // User-defined functions exist only in this thread, where no limit applies to them.
  if (expression.reads.some(({ root }) => extensionFunctions.has(root))) return true
  return expression.estimateCost((root, path) => measureSize(readName(names, root, path))) <= budget
}

function readOutcome([kind, payload]: Outcome, expression: Expression, names: Names): Json | undefined {
  if (kind === 'value') return payload
  if (kind === 'undefined') return undefined
  // All numbers in it are doubles, which must stay numbers even above 2⁵³.
  if (kind === 'json') return JSON.parse(payload as string) as Json
  if (kind === 'bigints') return parseJson(payload as string)
  if (kind === 'refused') {
    const shown = escapeControl(String(payload))
    const hint = shown === 'NaN' ? ': a value in it is missing or is not a number' : ''
    throw new EngineError('not_data', `The result is ${shown}, not data${hint}`, shown)
  }
  const text = escapeControl(dropExcerpt(String(payload)))
  const frozen = /read.only|not extensible/.test(text)
    ? ' (data cannot be changed: copy it first, `[...list]`)'
    : ''
  const hint = listUnknown(expression, names) || explainMissing(text, expression.source)
  throw new EngineError('threw', text + frozen + hint)
}

/** Says what to look at if a key of null or undefined was read, and how to write a default. */
function explainMissing(message: string, source: string): string {
  const found = /(?:\(reading '([\w$]+)'\)|cannot read property (?:'([\w$]+)' )?of \w+)$/.exec(message)
  // QuickJS does not tell an index.
  const key = found && (found[1] ?? found[2] ?? /\)\[(\d+)\]/.exec(source)?.[1])
  if (!key) return ''
  const [read, optional] = /^\d+$/.test(key) ? [`[${key}]`, `[${key}]`] : [`.${key}`, `${key}…`]
  const search = source.includes(`)${read}`) ? /\.(?:match|exec)\(/.exec(source)?.[0] : undefined
  const why = search ? `, as \`${search}…)\` found nothing` : ''
  return ` (there is no value before \`${read}\`${why}; for a default, write \`?.${optional} ?? 'none'\`)`
}

/** Removes the excerpt that V8 quotes from long invalid JSON: a part of a secret would not be recognised. */
function dropExcerpt(message: string): string {
  return message.replace(
    /, (?:\.\.\.".*"(?:\.\.\.)?|".*"\.\.\.) is not valid JSON$/s,
    ' in a string that is not valid JSON',
  )
}

/** Lists names that do not exist, as they explain most errors. */
function listUnknown({ reads }: Expression, names: Names): string {
  const unknown = reads.flatMap(({ root, path }) => {
    const isKnown =
      path.length > 0 || documentedGlobals.has(root) || readName(names, root, path) !== undefined
    return isKnown ? [] : [`\`${root}\``]
  })
  return unknown.length === 0 ? '' : ` (not defined here: ${unknown.join(', ')})`
}

/** Evaluates a condition, which passes only if it gives `true`. `value` shows the result or error; `failure` is its kind. Throws a `TemplateError` for bad syntax. */
export function evaluateCondition(
  engine: ExpressionEngine,
  source: string,
  names: Names,
): { passed: boolean; value: string; failure?: EngineErrorCode } {
  try {
    const value = evaluateOnce(() => engine.evaluate(source, names))
    return {
      passed: value === true,
      value: value === undefined ? 'undefined' : cut(stringifyJson(value), 500),
    }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    if (error.code === 'not_data') return { passed: false, value: error.shown }
    return { passed: false, value: error.message, failure: error.code }
  }
}
