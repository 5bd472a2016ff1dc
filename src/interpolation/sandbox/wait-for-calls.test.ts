import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { allowWaiting, callFromExpression, waitForCalls } from './wait-for-calls.ts'

allowWaiting()

/** A call like that of an expression, whose error does not leave it. */
function call(key: string, work: () => unknown): unknown {
  try {
    return callFromExpression(key, work)
  } catch (error) {
    return (error as Error).message
  }
}

test('work is undone and done again until the results of all its calls are there, each made once', async () => {
  const made: string[] = []
  const list: unknown[] = ['before']
  const find = (name: string): unknown =>
    call(name, async () => {
      made.push(name)
      return setTimeout(1, `${name}!`)
    })
  const work = (): string => {
    list.push(
      find('a'),
      find('a'),
      find(String(find('a'))),
      call('now', () => made.push('now')),
    )
    return String(list.at(-1))
  }
  const mark = () => {
    const { length } = list
    return () => void (list.length = length)
  }
  expect(await waitForCalls(work, { mark })).toBe('5')
  expect(list).toEqual(['before', 'a!', 'a!', 'a!!', 5])
  expect(made).toEqual(['a', 'a', 'a', 'a!', 'now'])
})

test('a call that fails later fails with its own error', async () => {
  const work = (): unknown => call('a', () => Promise.reject(new Error('mine')))
  expect(await waitForCalls(work)).toBe('mine')
})

test('waiting ends with the signal, and work that never comes to its end ends as well', async () => {
  const never = (): unknown => call('never', () => new Promise(() => {}))
  const signal = AbortSignal.timeout(20)
  expect(await waitForCalls(never, { signal })).toBe('its result is not there yet')
  let count = 0
  const endless = (): unknown => call(String((count += 1)), async () => count)
  expect(await waitForCalls(endless)).toBe('its result is not there yet')
  expect(count).toBe(1000)
})
