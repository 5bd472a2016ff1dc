const { timeOrigin } = performance
const now = performance.now.bind(performance)

/** The UTC time in ISO 8601, from a clock that neither the system, nor a suite's virtual `clock`, nor fake timers change. */
export function readTimestamp(): string {
  return new Date(timeOrigin + now()).toISOString()
}
