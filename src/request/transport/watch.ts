import type { RequestSpec, Stop } from '../exchange.ts'

/** Bounds a whole exchange: its time limit and the caller's signal. */
export type Watch = {
  startedAt: number
  /** ms for which the event loop has stood still since. */
  readBlocked(): number
  /** Why the exchange has to end. */
  stopped?: Stop
  /** Tells what to call when it has to end, in the place of what was told before; called at once if it already has. */
  onStop(stop: (reason: Stop) => void): void
  /** Lets go of timer and signal. */
  end(): void
}

type Limit = Pick<RequestSpec, 'timeout' | 'timeoutName'>

/** Starts the time limit of an exchange. What `readBlocked` counts up meanwhile is added to the limit: an answer may wait in the socket. */
export function startWatch(
  limit: Limit,
  { readBlocked, signal }: { readBlocked: () => number; signal: AbortSignal | undefined },
): Watch {
  const before = readBlocked()
  let given = 0
  let stop: ((reason: Stop) => void) | undefined
  const trigger = (reason: Stop): void => {
    watch.stopped ??= reason
    stop?.(watch.stopped)
  }
  const onAbort = (): void => trigger({ code: 'ABORTED', message: 'the request was aborted' })
  const expire = (): void => {
    const blocked = watch.readBlocked()
    if (blocked <= given) return trigger(describeTimeout(limit))
    timer = setTimeout(expire, blocked - given)
    given = blocked
  }
  let timer = setTimeout(expire, limit.timeout)
  const watch: Watch = {
    startedAt: performance.now(),
    readBlocked: () => readBlocked() - before,
    onStop(next) {
      stop = next
      if (watch.stopped) next(watch.stopped)
    },
    end() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    },
  }
  if (signal?.aborted) onAbort()
  else signal?.addEventListener('abort', onAbort, { once: true })
  return watch
}

function describeTimeout({ timeout, timeoutName: name = 'timeout' }: Limit): Stop {
  const where = name === 'timeout' ? ' for this request, in the suite or in the plugin options,' : ''
  return {
    code: 'TIMEOUT',
    message: `the limit \`${name}\` of ${timeout} ms was reached`,
    hint: `Raise \`${name}\`${where} if the answer may take longer`,
  }
}
