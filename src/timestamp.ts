/**
 * The present time as UTC, ISO 8601. Taken from the monotonic clock, so that neither a change of the system's time nor a
 * suite's virtual `clock` shows in results.
 */
export function readTimestamp(): string {
  return new Date(performance.timeOrigin + performance.now()).toISOString()
}
