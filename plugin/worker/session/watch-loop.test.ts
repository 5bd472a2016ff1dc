import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { watchLoop } from './watch-loop.ts'

/** Blocks this thread, as long work without a pause does. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

test('counts how long the event loop stands still, at once and ever after', async () => {
  const read = watchLoop()
  await wait(50)
  const [before, start] = [read(), performance.now()]
  standStill(200)
  expect(read() - before).toBeGreaterThan(150)
  await wait(50)
  expect(read() - before).toBeGreaterThan(150)
  expect(read() - before).toBeLessThan(performance.now() - start)
})

test('watches once for all who ask', () => {
  expect(watchLoop()).toBe(watchLoop())
})
