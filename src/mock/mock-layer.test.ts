import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { anywhere, post, send } from './fixtures/calls.ts'
import { context, mock, start, stop } from './fixtures/mocks.ts'

afterEach(stop)

describe('times', () => {
  test('too few calls are a problem at the mock', async () => {
    const scope = (await start()).use(
      [mock({ method: 'POST', url: anywhere, respond: {}, times: 2 })],
      context,
    )
    await send(anywhere, post({}))
    const report = scope.finish()
    expect(report.problems).toEqual([
      {
        message: 'Expected the mock of `POST https://pay.example/charges` to be called 2 times, got 1 time',
        at: [10, 7],
      },
    ])
    expect(scope.finish()).toBe(report)
  })

  test('further calls go to the next mock of the same list', async () => {
    const scope = (await start()).use(
      [
        mock({ url: anywhere, respond: { status: 500 }, times: 2 }),
        mock({ url: anywhere, respond: { body: 'ok' }, times: 1 }, 20),
      ],
      context,
    )
    const answers = [await send(anywhere), await send(anywhere), await send(anywhere)]
    expect(answers).toEqual(['500 ', '500 ', '200 ok'])
    const name = '`https://pay.example/charges`'
    expect(scope.finish()).toMatchObject({
      problems: [],
      met: [`${name} called 2 times`, `${name} called 1 time`],
    })
  })

  test('a call too many is refused and a problem, though an outer mock would take it', async () => {
    const mocks = await start()
    mocks.use([mock({ url: '*', respond: { body: 'outer' } })], context)
    const step = mocks.use([mock({ url: anywhere, respond: {}, times: 1 })], context)
    expect([await send(anywhere), await send(anywhere), await send(anywhere)]).toEqual([
      '200 ',
      'ECONNREFUSED',
      'ECONNREFUSED',
    ])
    expect(step.finish().problems).toEqual([
      {
        message:
          'Expected the mock of `https://pay.example/charges` to be called 1 time, but the application sent `GET https://pay.example/charges` again',
        at: [10, 7],
      },
    ])
    expect(step.finish().met).toEqual([])
  })

  test('`times: 0` forbids a call', async () => {
    const scope = (await start({ onUnhandled: 'bypass' })).use([mock({ url: anywhere, times: 0 })], context)
    await expect(send(anywhere)).resolves.toBe('ECONNREFUSED')
    expect(scope.finish().problems).toMatchObject([
      { message: expect.stringContaining('not to be called, but the application sent') },
    ])
  })

  test('`times: 0` forbids a call that a mock below it would answer', async () => {
    const mocks = [
      mock({ url: anywhere, method: 'DELETE', times: 0 }),
      mock({ url: '*', respond: { body: 'all' } }, 20),
    ]
    const scope = (await start()).use(mocks, context)
    expect([await send(anywhere), await send(anywhere, { method: 'DELETE' })]).toEqual([
      '200 all',
      'ECONNREFUSED',
    ])
    expect(scope.finish()).toMatchObject({
      problems: [{ message: expect.stringContaining('not to be called, but the application sent `DELETE') }],
      met: [],
    })
  })

  test('parallel calls are counted one by one', async () => {
    const scope = (await start()).use(
      [mock({ url: anywhere, when: { body: { a: 1 } }, respond: {}, times: 10 })],
      context,
    )
    const answers = await Promise.all(Array.from({ length: 12 }, () => send(anywhere, post({ a: 1 }))))
    expect(answers.filter((answer) => answer === '200 ')).toHaveLength(10)
    expect(scope.finish().problems).toHaveLength(1)
  })

  test('settle waits for a call that comes after the answer of the application', async () => {
    const scope = (await start()).use([mock({ url: anywhere, respond: {}, times: 1 })], context)
    const late = sleep(20).then(() => send(anywhere))
    await scope.settle(2000)
    expect(scope.finish().problems).toEqual([])
    await late
  })

  test('settle waits to see that a forbidden call does not come', async () => {
    const scope = (await start({ onUnhandled: 'bypass' })).use([mock({ url: anywhere, times: 0 })], context)
    const late = sleep(20).then(() => send(anywhere))
    await scope.settle(2000)
    expect(scope.finish().problems).toHaveLength(1)
    await late
  })

  test('settle of a suite waits to see that a call forbidden by its own mocks does not come', async () => {
    const mocks = await start({ mocks: [mock({ url: anywhere, times: 0 })] })
    const late = sleep(20).then(() => send(anywhere))
    await mocks.settle()
    expect(mocks.close().problems).toHaveLength(1)
    await late
  })

  test('settle waits for a call whose body is still on its way', async () => {
    const scope = (await start()).use([mock({ url: '*', when: { body: 'late' }, respond: {} })], context)
    const request = http.request(anywhere.replace('https', 'http'), { method: 'POST' }).on('error', () => {})
    request.write('la')
    await sleep(50)
    const ended = sleep(50).then(() => request.end('te'))
    await scope.settle(2000)
    expect(scope.finish().calls).toMatchObject([{ outcome: 'mocked' }])
    await ended
  })

  test('settle waits no longer than its limit', async () => {
    const scope = (await start()).use([mock({ url: anywhere, respond: {}, times: 1 })], context)
    await scope.settle(10)
    expect(scope.finish().problems).toHaveLength(1)
  })
})

describe('scopes', () => {
  test('the one opened last wins, and gives way when it ends', async () => {
    const mocks = await start()
    const suite = mocks.use([mock({ url: anywhere, respond: { body: 'suite' } })], context)
    await expect(send(anywhere)).resolves.toBe('200 suite')
    const step = mocks.use([mock({ url: anywhere, respond: { body: 'step' } }, 20)], context)
    await expect(send(anywhere)).resolves.toBe('200 step')
    expect(step.finish().calls).toMatchObject([{ mock: 'shop.suite.yaml:20' }])
    await expect(send(anywhere)).resolves.toBe('200 suite')
    expect(suite.finish().calls).toHaveLength(2)
  })

  test('an inner scope without mocks notes the calls that outer mocks answer', async () => {
    const mocks = await start()
    const suite = mocks.use([mock({ url: anywhere, respond: {}, times: 1 })], context)
    const step = mocks.use([], context)
    await send(anywhere)
    expect(step.finish().calls).toHaveLength(1)
    expect(suite.finish()).toEqual({
      calls: [],
      problems: [],
      met: ['`https://pay.example/charges` called 1 time'],
      warnings: [],
    })
  })

  test('a call after the last scope is reported by close', async () => {
    const mocks = await start()
    mocks.use([], context).finish()
    await expect(send(anywhere)).resolves.toBe('ECONNREFUSED')
    expect(mocks.close()).toMatchObject({
      calls: [{ outcome: 'unhandled' }],
      problems: [{ at: [1, 1] }],
    })
  })
})
