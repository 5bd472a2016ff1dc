/** The time that `Date` shows in this thread, until `restore`. */
export type Clock = ReturnType<typeof startClock>

/** The offset of the current clock from `performance.now()`, which a change of system time cannot move. */
let shift: { ms: number } | undefined

/** Sets the time that `Date` shows in this thread to an ISO 8601 instant, from which it runs on. That of a called suite ends within it. */
export function startClock(iso: string) {
  const own = { ms: Date.parse(iso) - performance.now() }
  const before = shift
  const uninstall = before ? undefined : install()
  shift = own
  return {
    advance(ms: number): void {
      own.ms += ms
    },
    /** Restores the time from before. A second call does nothing. */
    restore(): void {
      if (shift !== own) return
      shift = before
      uninstall?.()
    },
  }
}

/** The time to show. Code loaded under a clock may keep this function, and gets the real time afterwards. */
function readNow(): number {
  return Math.round(performance.now() + (shift?.ms ?? performance.timeOrigin))
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
  // For code that checks `value.constructor === Date`.
  RealDate.prototype.constructor = shifted
  return () => {
    globalThis.Date = RealDate
    RealDate.prototype.constructor = RealDate
  }
}
