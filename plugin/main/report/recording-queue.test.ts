import { expect, test } from 'vitest'
import { RecordingQueue } from './recording-queue.ts'

test('tasks are done in order, and none before the code that added it has gone on', async () => {
  const queue = new RecordingQueue()
  const done: number[] = []
  for (const number of [1, 2, 3])
    queue.add(async () => {
      await Promise.resolve()
      done.push(number)
    })
  await Promise.resolve()
  expect(done).toEqual([])
  await expect.poll(() => done).toEqual([1, 2, 3])
})

test('what is left is done when the run ends, and the queue goes on in the next', async () => {
  const queue = new RecordingQueue()
  const done: number[] = []
  for (const number of [1, 2]) {
    queue.add(async () => void done.push(number))
    await queue.finish()
    expect(done.at(-1)).toBe(number)
  }
  await queue.finish()
  expect(done).toEqual([1, 2])
})
