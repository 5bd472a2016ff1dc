import { types } from 'node:util'

/** A call from an expression: `key` stands for the function and its arguments. */
type Call = { key: string; value?: unknown; error?: unknown }

/** What an expression has called so far, in order, and its value once all of these have returned. */
type Evaluation = { calls: Call[]; next: number; done?: { value: unknown } }

/** Work in progress. `open`: the expression that is evaluated now. */
type Work = {
  evaluations: Evaluation[]
  next: number
  open?: Evaluation | undefined
  awaited?: Promise<void> | undefined
  /** True for work that is done only once. */
  isShort?: true
}

/** The work that this thread does now; work never pauses. */
let current: Work | undefined
/** True while expressions are evaluated only to explain what they gave. */
let isExplaining = false
/** True once there are functions that may be asynchronous. */
let isNeeded = false

export function allowWaiting(): void {
  isNeeded = true
}

/** Why a promise is refused outside such work, as the end of a sentence. */
export const noWait = (what: string): string =>
  `${what} cannot wait here. They can in variables, in \`skip\`, \`iterate\`, \`call\` and \`request\` of a step, and in its checks, captures, scenarios and \`retry\``

/** How often work is done at most: once more for each of its calls. */
const MOST_ROUNDS = 1000

/**
 * Does work in which expressions may call asynchronous functions: those of the option `extend`, and of suites in code. An expression cannot pause, so such a call
 * throws, and when its result is there, the work is undone and done again; what it evaluated and called before then gives the same results.
 * `mark` returns a function that undoes what the work does from then on. An abort ends the waiting.
 */
export async function waitForCalls<Value>(
  work: () => Value,
  { mark, signal }: { mark?: () => () => void; signal?: AbortSignal | undefined } = {},
): Promise<Value> {
  if (!isNeeded) return work()
  const own: Work = { evaluations: [], next: 0 }
  const undo = mark?.()
  for (let round = 1; ; round++) {
    own.next = 0
    const value = runAs(own, work)
    if (!own.awaited || round === MOST_ROUNDS) return value
    const aborted = Promise.withResolvers<void>()
    const stop = (): void => aborted.resolve()
    signal?.addEventListener('abort', stop)
    if (!signal?.aborted) await Promise.race([own.awaited, aborted.promise])
    signal?.removeEventListener('abort', stop)
    if (signal?.aborted) return value
    own.awaited = undefined
    undo?.()
  }
}

function runAs<Value>(work: Work, run: () => Value): Value {
  const before = current
  current = work
  try {
    return run()
  } finally {
    current = before
  }
}

/** Evaluates an expression, or generates data. If work is done again, this gives the same value again: it may be random. */
export function evaluateOnce<Value>(evaluate: () => Value): Value {
  const work = current
  if (!work || isExplaining) return evaluate()
  const own = (work.evaluations[work.next++] ??= { calls: [], next: 0 })
  if (own.done) return own.done.value as Value
  own.next = 0
  work.open = own
  try {
    const value = evaluate()
    if (!work.awaited) own.done = { value }
    return value
  } finally {
    work.open = undefined
  }
}

/** Returns a function that runs evaluations whose calls are kept, so that others that it runs can explain them. */
export function keepCalls(): <Value>(run: () => Value) => Value {
  if (!isNeeded) return (run) => run()
  const own: Work = current ?? { evaluations: [], next: 0, isShort: true }
  return (run) => runAs(own, run)
}

/** Evaluates expressions again to explain what they gave: their calls return what they returned before, and no further ones are made. */
export function explainWithoutCalls<Value>(explain: () => Value): Value {
  isExplaining = true
  try {
    return explain()
  } finally {
    isExplaining = false
  }
}

/** Calls a function that may be asynchronous, or asks for a time or random value, from an expression. */
export function callFromExpression(key: string, call: () => unknown): unknown {
  if (!current) return call()
  const { open, evaluations, next } = current
  const known = isExplaining
    ? evaluations
        .slice(0, next)
        .flatMap(({ calls }) => calls)
        .findLast((made) => made.key === key)
    : open?.calls[open.next++]
  if (known && known.key !== key) throw new Error(CHANGED)
  if (known && 'error' in known) throw known.error
  if (known) return known.value
  // What follows may only be there because this result is not, as the `else` of a condition.
  if (current.awaited || isExplaining) throw new Error(NOT_THERE)
  const made: Call = { key }
  open?.calls.push(made)
  try {
    made.value = call()
  } catch (error) {
    made.error = error
    throw error
  }
  if (!types.isPromise(made.value) || current.isShort) return made.value
  current.awaited = made.value.then(
    (value: unknown) => void (made.value = value),
    (error: unknown) => void (made.error = error),
  )
  throw new Error(NOT_THERE)
}

const NOT_THERE = `it has no result: the step was stopped, or waited for ${MOST_ROUNDS} calls`
const CHANGED =
  'its arguments changed when the expression was evaluated again; write `crypto.randomInt` for `Math.random`'
