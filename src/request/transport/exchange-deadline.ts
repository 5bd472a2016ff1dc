import type { Stop } from '../exchange.ts'

/** Bounds a whole exchange: its time limit and the caller's signal. */
export type Watch = {
  startedAt: number
  /** Why the exchange has to end. */
  stopped?: Stop
  /** Tells what to call when it has to end; called at once if it already has. */
  onStop: (stop: (reason: Stop) => void) => void
  /** Lets go of timer and signal. */
  end(): void
}

/** Starts the time limit (ms) of an exchange. */
export function startWatch(timeout: number, signal: AbortSignal | undefined): Watch {
  let stop: ((reason: Stop) => void) | undefined
  const trigger = (reason: Stop): void => {
    watch.stopped ??= reason
    stop?.(watch.stopped)
  }
  const onAbort = (): void => trigger({ code: 'ABORTED', message: 'the request was aborted' })
  const timer = setTimeout(() => trigger(createTimeoutStop(timeout)), timeout)
  const watch: Watch = {
    startedAt: performance.now(),
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

function createTimeoutStop(timeout: number): Stop {
  return {
    code: 'TIMEOUT',
    message: `the limit \`timeout\` of ${timeout} ms was reached`,
    hint: 'Raise `timeout` for this request, in the suite or in the plugin options, if the answer may take longer',
  }
}
