export const FAKE_TIMERS =
  'Timers are fake here: nothing could be waited for, and every time would be 0. Replace the date alone, `vi.useFakeTimers({ toFake: ["Date"] })`, or call `vi.useRealTimers()` before the suite.'

/** Whether what a step waits and measures with is fake, by Vitest or others: fakes carry their clock. */
export function hasFakeTimers(): boolean {
  return [performance, setImmediate, setTimeout].some((each) => 'clock' in each)
}
