import { maxDepth, type Json, type JsonObject } from '../../json.ts'
import { EngineError, toEngineError } from '../errors.ts'
import { largestData, measureOnce } from '../expressions/measure.ts'
import type { Expression } from '../syntax/expression.ts'
import { isHeaders } from '../header-names.ts'
import { readName, type Names } from '../variables/scope.ts'
import type { Guest, Outcome } from './guest.ts'

/** A sandbox that can be started when it is needed. It must not be used again after an `EngineError`. */
export type Sandbox = Pick<Guest, 'global' | 'evaluate'> & {
  /** Copies data into the sandbox. */
  copy(data: Json): unknown
  /** True if it holds so much data that a new one has to take its place. */
  isFull?(): boolean
  end?(): void
}

/** Creates a session: a sandbox that `start` creates when needed, and again after it failed. */
export function createSession(start: () => Sandbox) {
  let sandbox: Sandbox | undefined

  /** Evaluates an expression; throws an `EngineError` if that ended the sandbox. */
  function run(expression: Expression, names: Names): Outcome {
    if (sandbox?.isFull?.()) end()
    const isUsed = sandbox !== undefined
    sandbox ??= start()
    try {
      return evaluate(expression, names, sandbox)
    } catch (thrown) {
      end()
      const error = toEngineError(thrown)
      // Earlier runs may have left too much behind, so try once more in an empty sandbox.
      if (!isUsed || (error.code !== 'memory' && error.code !== 'crashed')) throw error
      return run(expression, names)
    }
  }

  function end(): void {
    sandbox?.end?.()
    sandbox = undefined
  }

  return { run, end }
}

function evaluate({ program, reads }: Expression, names: Names, sandbox: Sandbox): Outcome {
  const passed = reads.map(({ root, path }) => {
    const value = readName(names, root, path)
    return value === undefined ? sandbox.global(path.length === 0 ? root : '') : sandbox.copy(value)
  })
  return sandbox.evaluate(program, passed)
}

/**
 * Writes data as JSON. If it has bigints: `#`, then JSON with strings `n…` for bigints and `s…` for text. Headers, which can be
 * read by names in any case, follow an `@`, and what has such `headers`, or is a list of it, an `&`.
 */
export function writeData(data: Json): string {
  if (typeof data === 'bigint') return `#"n${data}"`
  if (typeof data !== 'object' || data === null) return JSON.stringify(data)
  const { depth, size, hasBigint } = measureOnce(data)
  if (depth > maxDepth) throw refuse(`nested deeper than ${maxDepth} levels`)
  if (size > largestData) throw refuse(`of more than ${largestData} characters`)
  const text = hasBigint ? `#${JSON.stringify(data, mark)}` : JSON.stringify(data)
  if (isHeaders(data)) return `@${text}`
  const first = (Array.isArray(data) ? data[0] : data) as JsonObject | null | undefined
  return isHeaders(first?.['headers']) ? `&${text}` : text
}

const mark = (_: string, item: unknown): unknown =>
  typeof item === 'bigint' ? `n${item}` : typeof item === 'string' ? `s${item}` : item

function refuse(what: string): EngineError {
  return new EngineError('not_data', `Expressions cannot read data ${what}`, 'an error')
}
