/** The UTC time in ISO 8601, from a clock that neither the system nor a suite's virtual `clock` changes. */
export function readTimestamp(): string {
  return new Date(performance.timeOrigin + performance.now()).toISOString()
}
