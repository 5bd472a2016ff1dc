/** The time that `Date` tells in this thread, until `restore`. */
export type Clock = {
  /** Moves the time on, in ms. */
  advance(ms: number): void
  /** Gives back the time from before; a second call does nothing. */
  restore(): void
}

/** What the clock that was started last adds to the monotonic time: a change of the system's time changes nothing here. */
let shift: { ms: number } | undefined

/**
 * Sets the time that `Date` tells in this thread to an ISO 8601 instant, from which it runs on; the clock of a suite that
 * this one calls starts and ends within. Timers, `performance`, formats without a date and dates that exist already are left alone.
 */
export function startClock(iso: string): Clock {
  const own = { ms: Date.parse(iso) - performance.now() }
  const before = shift
  const uninstall = before ? undefined : install()
  shift = own
  return {
    advance(ms) {
      own.ms += ms
    },
    restore() {
      if (shift !== own) return
      shift = before
      uninstall?.()
    },
  }
}

function readNow(): number {
  return Math.round(performance.now() + (shift?.ms ?? 0))
}

function install(): () => void {
  const RealDate = globalThis.Date
  const shifted = new Proxy(RealDate, {
    apply: () => new RealDate(readNow()).toString(),
    construct: (target, args: unknown[], newTarget) =>
      Reflect.construct(target, args.length === 0 ? [readNow()] : args, newTarget) as object,
    get: (target, key) => (key === 'now' ? readNow : Reflect.get(target, key)),
  })
  globalThis.Date = shifted
  // Some code asks for `value.constructor === Date`.
  RealDate.prototype.constructor = shifted
  return () => {
    globalThis.Date = RealDate
    RealDate.prototype.constructor = RealDate
  }
}
