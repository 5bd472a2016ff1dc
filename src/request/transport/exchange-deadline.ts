import type { Stop } from '../exchange.ts'

/** Bounds a whole exchange: its time limit and the caller's signal. */
export type Watch = {
  startedAt: number
  /** ms for which the event loop has stood still since. */
  readBlocked: () => number
  /** Why the exchange has to end. */
  stopped?: Stop
  /** Tells what to call when it has to end; called at once if it already has. */
  onStop: (stop: (reason: Stop) => void) => void
  /** Lets go of timer and signal. */
  end(): void
}

/** Starts the time limit (ms) of an exchange. What `readBlocked` counts up meanwhile is added to the limit: an answer may wait in the socket. */
export function startWatch(
  timeout: number,
  {
    signal,
    readBlocked = () => 0,
    name = 'timeout',
  }: { signal?: AbortSignal; readBlocked?: () => number; name?: string },
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
    if (blocked <= given) return trigger(createTimeoutStop(timeout, name))
    timer = setTimeout(expire, blocked - given)
    given = blocked
  }
  let timer = setTimeout(expire, timeout)
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

function createTimeoutStop(timeout: number, name: string): Stop {
  return {
    code: 'TIMEOUT',
    message: `the limit \`${name}\` of ${timeout} ms was reached`,
    hint:
      name === 'timeout'
        ? 'Raise `timeout` for this request, in the suite or in the plugin options, if the answer may take longer'
        : `Raise \`${name}\` if the answer may take longer`,
  }
}
