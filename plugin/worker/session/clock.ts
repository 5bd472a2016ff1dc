/** The time that `Date` tells in this thread, until `restore`. */
export type Clock = {
  /** Moves the time on, in ms; throws a `RangeError` for what is not a finite number. */
  advance(ms: number): void
  /** Gives the real time back; a second call does nothing. */
  restore(): void
}

/** A started clock: what has to be added to the monotonic time. */
type Shift = { ms: number }

/** Clocks that have not been restored; the last one tells the time. */
let shifts: readonly Shift[] = []
let uninstall: (() => void) | undefined

/**
 * Sets the time that `Date` tells in this thread to an ISO 8601 instant, from which it runs on.
 * Timers, `performance`, formats without a date and dates that exist already are left alone. Throws a `RangeError` for what is not a date.
 */
export function startClock(iso: string): Clock {
  const instant = Date.parse(iso)
  if (Number.isNaN(instant))
    throw new RangeError(
      `Expected the clock to be a date and time such as 2026-01-01T00:00:00Z, got \`${iso}\``,
    )
  const shift: Shift = { ms: instant - performance.now() }
  shifts = [...shifts, shift]
  uninstall ??= install()
  return {
    advance(ms) {
      if (!Number.isFinite(ms)) throw new RangeError(`Expected a number of milliseconds, got \`${ms}\``)
      shift.ms += ms
    },
    restore() {
      shifts = shifts.filter((other) => other !== shift)
      if (shifts.length > 0) return
      uninstall?.()
      uninstall = undefined
    },
  }
}

// The monotonic clock, so that a change of the system's time changes nothing here.
function readNow(): number {
  return Math.round(performance.now() + (shifts.at(-1)?.ms ?? 0))
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
