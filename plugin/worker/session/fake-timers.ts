/** Refuses fake timers (of Vitest or others, known by their `clock`): steps have to wait and measure time. */
export function refuseFakeTimers(): string | undefined {
  if (![performance, setImmediate, setTimeout].some((each) => 'clock' in each)) return undefined
  return 'Timers are fake here: steps could not wait, and every duration would be 0. Fake only the date with `vi.useFakeTimers({ toFake: ["Date"] })`, or call `vi.useRealTimers()` before the suite.'
}
