import { describe, expect, test } from 'vitest'
import { createEngine, evaluateCondition } from '../../../../src/interpolation/expressions/engine.ts'
import type { JsonObject } from '../../../../src/json.ts'
import { judgeCondition } from '../../../../src/run/attempt/judge-condition.ts'
import type { SuiteRun } from '../../../../src/run/suite-run.ts'
import { createFunctionEngine } from './call-function.ts'
import type { FunctionRole } from './function-places.ts'
import { liftFunction, type LiftedFunction } from './lift-functions.ts'

const engine = createFunctionEngine(createEngine(), '/')

/** Evaluates a function as the engine of a suite does. */
function evaluate(
  call: LiftedFunction['call'],
  role: FunctionRole = 'value',
  locals: JsonObject = {},
): unknown {
  const values = { layers: [{ token: 't', list: [1] }], exports: {}, locals }
  return engine.evaluate(liftFunction({ call, role, shown: '' }, []), values)
}

function judge(call: LiftedFunction['call']): { passed: boolean; value: string } {
  return evaluateCondition(engine, liftFunction({ call, role: 'condition', shown: '' }, []), {
    layers: [],
    exports: {},
  })
}

const fail = (): never => {
  throw new Error('inner')
}
const unreadable = Object.defineProperty(new Error('x'), 'message', { get: fail })

describe('a condition holds only for true', () => {
  test.each([
    ['true', () => true, { passed: true, value: 'true' }],
    ['false', () => false, { passed: false, value: 'false' }],
    ['nothing', () => undefined, { passed: false, value: 'undefined' }],
    ['a text', () => 'true', { passed: false, value: '"true"' }],
    ['one', () => 1, { passed: false, value: '1' }],
    ['NaN', () => Number.NaN, { passed: false, value: 'NaN' }],
    ['a Boolean object', () => new Boolean(true), { passed: false, value: 'an instance of Boolean' }],
    ['a promise', () => Promise.resolve(true), { passed: false, value: 'a promise' }],
    ['a rejected promise', () => Promise.reject(new Error('unseen')), { passed: false, value: 'a promise' }],
    // oxlint-disable-next-line unicorn/no-thenable -- what query builders give
    ['a thenable', () => ({ then() {} }), { passed: false, value: 'a promise' }],
    ['a function', () => () => true, { passed: false, value: 'a function' }],
    ['a symbol', () => Symbol('x'), { passed: false, value: 'a symbol' }],
  ])('%s', (_, call, expected) => {
    expect(judge(call)).toEqual(expected)
  })

  test.each([
    ['an error', new Error('boom'), 'boom'],
    ['an error without a message', new TypeError(), 'TypeError'],
    ['null', null, 'null'],
    ['undefined', undefined, 'undefined'],
    ['a symbol', Symbol('x'), 'Symbol(x)'],
    ['an object', { code: 5 }, '{"code":5}'],
    ['an object that cannot be shown', { toJSON: fail }, 'something that cannot be shown'],
    ['an error that cannot be read', unreadable, 'something that cannot be shown'],
  ])('not when %s is thrown', (_, thrown, value) => {
    const call = (): never => {
      throw thrown
    }
    expect(judge(call)).toEqual({ passed: false, value, failure: 'threw' })
  })
})

test('headers are read in any case', () => {
  const locals = {
    headers: { 'x-a': '1' },
    request: { url: '/', headers: { accept: '*/*' } },
    responses: [{ headers: { server: 'x' } }],
  }
  const read = ({ headers, request, responses }: never) => [
    responses[0]['headers']['Server'],
    headers['X-A'],
    headers['x-a'],
    headers['X-B'] === undefined,
    'X-A' in headers,
    'X-B' in headers,
    request['headers']['Accept'],
    request['url'],
    { ...(headers as object) },
  ]
  expect(evaluate(read, 'value', locals)).toEqual([
    'x',
    '1',
    '1',
    true,
    true,
    false,
    '*/*',
    '/',
    { 'x-a': '1' },
  ])
})

describe('a value', () => {
  test('is copied, so that what the function keeps cannot change it', () => {
    const kept = { list: [1] }
    const given = evaluate(() => kept)
    kept.list.push(2)
    expect(given).toEqual({ list: [1] })
  })

  test.each([
    ['nothing', () => undefined, 'Expected a value, got undefined; return null for no value'],
    [
      'a promise',
      () => Promise.reject(new Error('unseen')),
      'Expected a value, got a promise: functions cannot wait here. They can in variables, in `skip`, `iterate`, `call` and `request` of a step, and in its checks, captures, scenarios and `retry`',
    ],
    [
      'no data',
      () => ({ a: [new Set()] }),
      'Expected a value that fits in JSON, got an instance of Set at `a[0]`',
    ],
    [
      'a generator',
      function* () {
        yield 1
      },
      'Expected a value that fits in JSON, got an instance of a class',
    ],
    ['NaN', () => 0 / 0, 'Expected a value that fits in JSON, got NaN'],
    [
      'an object that cannot be read',
      () => Object.defineProperty({}, 'a', { enumerable: true, get: fail }),
      'inner',
    ],
    ['a proxy that cannot be read', () => new Proxy({}, { get: fail }), 'inner'],
  ])('cannot be %s', (_, call, message) => {
    expect(() => evaluate(call)).toThrow(message)
  })

  test('cannot be a cycle, or of thousands of levels', () => {
    const cycle: unknown[] = []
    cycle.push(cycle)
    let deep: unknown = 1
    for (let level = 0; level < 20_000; level++) deep = [deep]
    expect(() => evaluate(() => cycle)).toThrow('got a value that contains itself at `[0]`')
    expect(() => evaluate(() => deep)).toThrow('got data of more than 500 levels')
  })
})

describe('what a function is given', () => {
  test('is frozen all the way down', () => {
    let body: JsonObject = { end: 1 }
    const end = body
    for (let level = 0; level < 400; level++) body = { deep: body }
    const change = (run: (values: Record<string, unknown>) => unknown): void => {
      expect(() => evaluate(run as never, 'value', { body })).toThrow(
        /read only|not extensible|cannot delete/i,
      )
    }
    change((values) => (values['body'] = 1))
    change(({ body: own }) => ((own as Record<string, unknown>)['deep'] = 1))
    change(() => ((end as Record<string, unknown>)['end'] = 2))
    change(({ variables }) => ((variables as Record<string, unknown>)['token'] = 'x'))
    change(({ variables }) => (variables as { list: unknown[] }).list.push(2))
    change(({ variables }) => delete (variables as { token?: unknown }).token)
    expect(end).toEqual({ end: 1 })
  })

  test('has own members only', () => {
    expect(evaluate(({ variables }: { variables: object }) => 'toString' in variables)).toBe(false)
  })
})

test('other expressions go to the engine below', () => {
  const values = { layers: [{ n: 2 }], exports: {} }
  expect(engine.evaluate('n + 1', values)).toBe(3)
  expect(() => engine.evaluate('__suitecase_1_0()', values)).toThrow('__suitecase_')
  expect(engine.test({ source: 'a' }, 'bab')).toBe(true)
})

test('what is doubtful in a condition is told as in YAML, and what it read is shown', () => {
  const doubts = (
    call: (response: { body: { items: string[]; stauts?: string } }) => unknown,
  ): (string | undefined)[] => {
    const locals = { body: { status: 'ok', items: [] } }
    const scope = { layers: [], exports: {}, env: {}, engine, locals }
    const { doubt, showReads } = judgeCondition(
      liftFunction({ call, role: 'condition', shown: '' }, ['body']),
      scope,
      { plan: { isLenient: false, redact: [] }, environment: { settings: {} } } as unknown as SuiteRun,
    )
    return [doubt, showReads?.()]
  }
  expect(doubts(({ body }) => body.stauts !== 'bad')).toEqual([
    'reads `body.stauts`, which is not there (did you mean `status`?)',
    '`body.stauts` is `undefined`',
  ])
  expect(doubts(({ body }) => body.items.every((one) => one === 'x'))[0]).toMatch(/^calls `body.items.every/)
  const sides = '`body.items.concat("a").join()` is `"a"`, `body.items` is `[]`'
  expect(doubts(({ body }) => body.items.concat('a').join() === 'b')[1]).toBe(sides)
  const limit = { stauts: 'x' }
  expect(doubts(({ body }) => body.stauts !== limit.stauts)[0]).toBeUndefined()
})
