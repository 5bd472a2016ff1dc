import timers from 'node:timers/promises'

/** Waits `ms`; ends early, without an error, if the signal aborts. */
export async function wait(ms: number, signal?: AbortSignal): Promise<void> {
  await timers.setTimeout(ms, undefined, signal && { signal }).catch(() => undefined)
}

/** Waits for a promise. Rejects with `message` after `ms`, or when the step is stopped; what the promise does then is ignored. */
export async function within<Value>(
  promise: Promise<Value>,
  { ms, signal }: { ms: number; signal?: AbortSignal | undefined },
  message: string,
): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const stop = (): void => reject(new Error('it did not finish before the step was stopped'))
  const timer = setTimeout(() => reject(new Error(message)), ms)
  signal?.addEventListener('abort', stop)
  return Promise.race([promise, late]).finally(() => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  })
}
