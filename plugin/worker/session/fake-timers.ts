/** Refuses fake timers, known by their `clock`, of Vitest and others: a step has to wait and to measure. */
export function refuseFakeTimers(): string | undefined {
  if (![performance, setImmediate, setTimeout].some((each) => 'clock' in each)) return undefined
  return 'Timers are fake here: steps could not wait, and every duration would be 0. Fake only the date with `vi.useFakeTimers({ toFake: ["Date"] })`, or call `vi.useRealTimers()` before the suite.'
}
