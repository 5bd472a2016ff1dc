import { types } from 'node:util'

type Result = { value: unknown } | { error: unknown }

/** What functions returned for work that is in progress: by call, and the how manieth of the same calls it is. */
type Work = { results: Map<string, Result>; counts: Map<string, number>; awaited?: Promise<void> | undefined }

/** The work that this thread does now; work never pauses. */
let current: Work | undefined
/** True once there are functions that may be asynchronous. */
let isNeeded = false

export function allowWaiting(): void {
  isNeeded = true
}

/** Why a promise is refused outside such work, as the end of a sentence. */
export const noWait = (what: string): string =>
  `${what} cannot wait here. They can in variables, in \`skip\`, \`iterate\` and \`request\` of a step, and in its checks, captures, scenarios and \`retry\``

/** How often work is done at most: once more for each of its calls. */
const MOST_ROUNDS = 1000

/**
 * Does work in which expressions may call asynchronous functions: those of the option `extend`, and of suites in code. An expression cannot pause, so such a call
 * throws, and when its result is there, the work is undone and done again; the same calls then return their results.
 * `mark` returns a function that undoes what the work does from then on. An abort ends the waiting.
 */
export async function waitForCalls<Value>(
  work: () => Value,
  { mark, signal }: { mark?: () => () => void; signal?: AbortSignal | undefined } = {},
): Promise<Value> {
  if (!isNeeded) return work()
  const own: Work = { results: new Map(), counts: new Map() }
  const undo = mark?.()
  for (let round = 1; ; round++) {
    const value = doWork(own, work)
    const { awaited } = own
    if (!awaited || round === MOST_ROUNDS || signal?.aborted) return value
    const aborted = Promise.withResolvers<void>()
    const stop = (): void => aborted.resolve()
    signal?.addEventListener('abort', stop)
    await Promise.race([awaited, aborted.promise])
    own.awaited = undefined
    signal?.removeEventListener('abort', stop)
    undo?.()
  }
}

function doWork<Value>(own: Work, work: () => Value): Value {
  own.counts.clear()
  current = own
  try {
    return work()
  } finally {
    current = undefined
  }
}

/** Calls a function that may be asynchronous, from an expression. `key` stands for the function and its arguments. */
export function callFromExpression(key: string, call: () => unknown): unknown {
  if (!current) return call()
  const { results, counts } = current
  const count = (counts.get(key) ?? 0) + 1
  counts.set(key, count)
  const known = results.get(`${count} ${key}`)
  if (known && 'error' in known) throw known.error
  if (known) return known.value
  // What follows may only be there because this result is not, as the `else` of a condition.
  if (current.awaited) throw new Error(NOT_THERE)
  const value = call()
  const keep = (result: Result): void => void results.set(`${count} ${key}`, result)
  if (!types.isPromise(value)) {
    keep({ value })
    return value
  }
  current.awaited = value.then(
    (settled: unknown) => keep({ value: settled }),
    (error: unknown) => keep({ error }),
  )
  throw new Error(NOT_THERE)
}

const NOT_THERE = 'its result is not there yet'
