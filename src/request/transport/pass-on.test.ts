import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { countSent, passOnAnswer } from './pass-on.ts'

/** Returns a function that handles an answer in two steps and notes each of them. */
function follow(name: string, notes: string[]): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  void (async () => {
    await promise
    notes.push(`${name} is judged`)
    await Promise.resolve()
    notes.push(`${name} sends the next`)
  })()
  return resolve
}

test('answers of the same turn are passed on together, and what follows is done in step', async () => {
  const notes: string[] = []
  for (const _ of ['a', 'b', 'slow']) countSent()

  passOnAnswer(100, follow('a', notes))
  await Promise.resolve()
  passOnAnswer(100, follow('b', notes))
  await Promise.resolve()
  expect(notes).toEqual([])
  await setImmediate()

  expect(notes).toEqual(['a is judged', 'b is judged', 'a sends the next', 'b sends the next'])
  passOnAnswer(100, () => {})
})

test('an answer is passed on at once, with those that wait, if nobody else waits for one', () => {
  const done: string[] = []
  countSent()
  countSent()

  passOnAnswer(100, () => void done.push('first'))
  expect(done).toEqual([])
  passOnAnswer(100, () => void done.push('last'))

  expect(done).toEqual(['first', 'last'])
})

test('large answers are passed on one after the other: a suite lets go of one before the next one is parsed', async () => {
  const notes: string[] = []
  for (const _ of ['a', 'b', 'slow']) countSent()

  for (const name of ['a', 'b']) passOnAnswer(1_000_000, follow(name, notes))
  for (const _ of ['a', 'b']) await setImmediate()

  expect(notes).toEqual(['a is judged', 'a sends the next', 'b is judged', 'b sends the next'])
  passOnAnswer(100, () => {})
})
