import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import {
  allowWaiting,
  callFromExpression,
  evaluateOnce,
  explainWithoutCalls,
  waitForCalls,
} from './wait-for-calls.ts'

allowWaiting()
const NONE = 'it has no result: the step was stopped, or waited for 1000 calls'

/** A call like that of an expression, whose error does not leave it. */
function call(key: string, work: () => unknown): unknown {
  return tryTo(() => evaluateOnce(() => callFromExpression(key, work)))
}

function tryTo(evaluate: () => unknown): unknown {
  try {
    return evaluate()
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
  let calls = 0
  const never = (): unknown => call('never', () => new Promise(() => void (calls += 1)))
  const signal = AbortSignal.timeout(20)
  expect(await waitForCalls(never, { signal })).toBe(NONE)
  expect(calls).toBe(1)
  let count = 0
  const endless = (): unknown => {
    for (let at = 0; at < 2000; at++)
      if (typeof call(String(at), async () => (count += 1)) === 'string') return NONE
    return 'all'
  }
  expect(await waitForCalls(endless)).toBe(NONE)
  expect(count).toBe(1000)
})

test('what was evaluated before a call stays the same, though it is random; arguments that change are refused', async () => {
  const made: unknown[] = []
  const create = (name: number): unknown => callFromExpression(`create(${name})`, async () => made.push(name))
  const work = (): number => {
    const name = evaluateOnce(Math.random)
    call(`create(${name})`, async () => made.push(name))
    return name
  }
  expect(made).toEqual([await waitForCalls(work)])
  const changing = (): unknown => tryTo(() => evaluateOnce(() => create(Math.random())))
  const message = 'its arguments changed when the expression was evaluated again'
  expect(await waitForCalls(changing)).toMatch(message)
  expect(made).toHaveLength(2)
})

test('an explanation makes no calls: it has the results of those that were made', async () => {
  const made: string[] = []
  const ask = (key: string): unknown => call(key, async () => made.push(key))
  const work = (): unknown[] => [ask('a'), ...explainWithoutCalls(() => [ask('a'), ask('b')])]
  expect(await waitForCalls(work)).toEqual([1, 1, NONE])
  expect(made).toEqual(['a'])
})

test('a call that fails at once is made once', async () => {
  let made = 0
  const fail = (): never => {
    made += 1
    throw new Error('mine')
  }
  expect(await waitForCalls(() => [call('fail', fail), call('a', async () => 1)])).toEqual(['mine', 1])
  expect(made).toBe(1)
})
