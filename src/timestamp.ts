/**
 * The current UTC time in ISO 8601. Taken from the monotonic clock, so that neither changes to the system time nor a
 * suite's virtual `clock` show in results.
 */
export function readTimestamp(): string {
  return new Date(performance.timeOrigin + performance.now()).toISOString()
}
