/** Refuses fake timers, known by their `clock`, of Vitest and others: a step has to wait and to measure. */
export function refuseFakeTimers(): string | undefined {
  if (![performance, setImmediate, setTimeout].some((each) => 'clock' in each)) return undefined
  return 'Timers are fake here: nothing could be waited for, and every time would be 0. Replace the date alone, `vi.useFakeTimers({ toFake: ["Date"] })`, or call `vi.useRealTimers()` before the suite.'
}
