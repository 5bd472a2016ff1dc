import { describe, expect, test } from 'vitest'
import { http } from 'msw'
import * as v from 'valibot'
import { z } from 'zod'
import { findHandler } from '../../../src/mock/handlers.ts'
import type { Mock } from '../../../src/mock/mock.ts'
import { DefinitionLifter } from './lift-definition.ts'
import { findFunction, showFunctions } from './functions/lift-functions.ts'

function liftDefinition(definition: unknown): DefinitionLifter & { value: unknown } {
  const lifter = new DefinitionLifter()
  return Object.assign(lifter, { value: lifter.lift(definition) })
}

/** The problems of a definition: field and reason. */
function problems(definition: unknown): string[] {
  return liftDefinition(definition).problems.map(({ message }) => message)
}

/** A lifted value, in which all functions have the same name. */
function nameAlike(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll(/__suitecase_[\da-f]+_\d+/g, 'call'))
}

class Money {
  amount = 5
}

const step = (parts: object): object => ({ steps: [parts] })
const talk = (turn: object): object => step({ websocket: { exchange: [turn] } })

describe('data', () => {
  test('is copied as JSON can carry it', () => {
    const value = {
      date: new Date(0),
      big: 12n,
      long: 9007199254740993n,
      none: undefined,
      list: [undefined, null, 1],
      bare: Object.create(null),
    }
    expect(liftDefinition(value).value).toEqual({
      date: '1970-01-01T00:00:00.000Z',
      big: 12,
      long: 9007199254740993n,
      list: [null, null, 1],
      bare: {},
    })
  })

  test('can be lifted part by part', () => {
    const lifter = new DefinitionLifter()
    lifter.lift({ setup: [{ skip: () => true }] })
    const part = lifter.lift({ name: () => 'x', skip: () => true }, ['steps', 3])
    expect(nameAlike(part)).toEqual({ skip: 'call()' })
    expect(lifter.problems.map(({ path }) => path)).toEqual([['steps', 3, 'name']])
  })

  test('of dangerous names is ordinary data', () => {
    const { value } = liftDefinition({
      variables: JSON.parse('{"__proto__": {"polluted": 1}, "constructor": 2}'),
    })
    expect(JSON.stringify(value)).toBe('{"variables":{"__proto__":{"polluted":1},"constructor":2}}')
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  test.each([
    ['NaN', Number.NaN],
    ['Infinity', Infinity],
    ['a symbol', Symbol('x')],
    ['an instance of Map', new Map()],
    ['an instance of Money', new Money()],
    ['an invalid date', new Date('x')],
    ['a matcher of `expect`', expect.any(String)],
    ['a matcher of `expect`', expect.objectContaining({ a: 1 })],
    ['a promise', new Promise(() => {})],
    ['an instance of Uint8Array', new Uint8Array(2)],
  ])('refuses %s', (shown, value) => {
    expect(problems(step({ request: { body: { deep: [value] } } }))).toEqual([
      `Expected \`steps[0].request.body.deep[0]\` to be data, got ${shown}.`,
    ])
  })

  test('is refused as a whole when it is none', () => {
    expect(problems(new Map())).toEqual(['Expected the suite to be data, got an instance of Map.'])
  })

  test('refuses cycles and more than 500 levels', () => {
    const cycle: { self?: unknown } = {}
    cycle.self = cycle
    let deep: unknown = 1
    for (let level = 0; level < 20_000; level++) deep = [deep]
    expect(problems({ cycle, deep })).toEqual([
      'Expected `cycle.self` to be data, got a value that contains itself.',
      expect.stringContaining('got data of more than 500 levels.'),
    ])
  })
})

describe('functions', () => {
  test('stand for expressions that name what they read', () => {
    const { value } = liftDefinition({
      steps: [
        {
          request: {
            url: ({ variables }: never) => (variables as { token: string }).token,
            body: { on: () => 1, skip: () => 2 },
          },
          skip: (values: { variables: { auth: { ok: boolean }; 'x-y': boolean } }) =>
            values.variables.auth.ok && values.variables['x-y'],
          assert: { custom: [{ condition: ({ body }: { body: unknown }) => body === 1 }] },
          scenarios: [{ condition: () => true, else: { capture: { a: () => 1 } } }],
        },
      ],
    })
    expect(nameAlike(value)).toEqual({
      steps: [
        {
          request: {
            url: '{{call(variables.token)}}',
            body: { on: '{{call()}}', skip: '{{call()}}' },
          },
          skip: "call(variables.auth.ok, variables['x-y'])",
          assert: { custom: [{ condition: 'call(body)' }] },
          scenarios: [
            {
              condition: '{{call()}}',
              else: { capture: { a: '{{call()}}' } },
            },
          ],
        },
      ],
    })
    const calls = JSON.stringify(value).match(/__suitecase_[^"{}]*\)/g) ?? []
    expect(calls.map((call) => findFunction(call)?.role)).toEqual([
      'value',
      'value',
      'value',
      'condition',
      'condition',
      'scenario',
      'expected',
    ])
    const judged = calls[4] as string
    const shown = '({ body }) => body === 1'
    expect(showFunctions(`got \`${judged}\``)).toBe(`got \`${shown}\``)
    const cut = judged.replace('(body)', '(body, variab…')
    expect(showFunctions(`\`${cut}\` failed`)).toBe(`\`${shown}\` failed`)
  })

  test('that hand all variables on read them all', () => {
    const { value } = liftDefinition(
      step({ skip: (values: { variables: object }) => check(values.variables) }),
    )
    expect(nameAlike(value)).toEqual(step({ skip: 'call(variables)' }))
  })

  test.each([
    ['suite_name', { suite_name: () => 'x' }],
    ['steps', { steps: () => [] }],
    ['variables.x', { variables: { x: () => 1 } }],
    ['steps[0].name', step({ name: () => 'x' })],
    ['defaults.headers', { defaults: { headers: () => ({}) } }],
    ['steps[0].request', step({ request: () => ({}) })],
    ['steps[0].request.timeout', step({ request: { timeout: () => 1 } })],
    ['steps[0].request.auth', step({ request: { auth: () => ({}) } })],
    ['steps[0].assert', step({ assert: () => ({}) })],
    ['steps[0].assert.custom', step({ assert: { custom: () => true } })],
    ['steps[0].assert.headers', step({ assert: { headers: () => ({}) } })],
    ['defaults.assert.cookies', { defaults: { assert: { cookies: () => ({}) } } }],
    ['steps[0].assert.responses', step({ assert: { responses: () => [] } })],
    ['steps[0].assert.custom[0]', step({ assert: { custom: [() => true] } })],
    ['steps[0].capture.x.path', step({ capture: { x: { path: () => 'body' } } })],
    ['steps[0].retry.max_attempts', step({ retry: { max_attempts: () => 2 } })],
    ['steps[0].iterate.as', step({ iterate: { over: [], as: () => 'x' } })],
    ['steps[0].mocks[0].respond.body', step({ mocks: [{ url: 'http://x/', respond: { body: () => 1 } }] })],
  ])('is not allowed at %s', (field, definition) => {
    expect(problems(definition)).toEqual([`A function is not allowed at \`${field}\`.`])
  })
})

describe('schemas and patterns', () => {
  const callable = Object.assign(() => undefined, {
    '~standard': { version: 1, vendor: 'callable', validate: () => ({}) },
  })

  test('stand for checks of the value at their place', () => {
    const { value, problems: found } = liftDefinition(
      step({
        assert: {
          body: {
            id: z.number(),
            list: { each: v.string(), schema: v.array(v.any()) },
            field: { schema: z.any(), pattern: /a/ },
            name: /^a/i,
            code: { pattern: /b/gu, regex: /c/ },
          },
          'body.x.y': callable,
          headers: { 'content-type': /json/ },
        },
        scenarios: [{ else: { assert: { body: v.object({}) } } }],
      }),
    )
    expect(found).toEqual([])
    expect(value).toEqual(
      step({
        assert: {
          body: {
            id: { schema: { schema: 'zod' } },
            list: { each: { schema: { schema: 'valibot' } }, schema: { schema: 'valibot' } },
            field: { schema: { schema: { schema: 'zod' } }, pattern: { pattern: 'a' } },
            name: { pattern: '/^a/i' },
            code: { pattern: '/b/u', regex: 'c' },
          },
          'body.x.y': { schema: { schema: 'callable' } },
          headers: { 'content-type': { pattern: 'json' } },
        },
        scenarios: [{ else: { assert: { body: { schema: { schema: 'valibot' } } } } }],
      }),
    )
  })

  test.each([
    [
      'A Standard Schema',
      'steps[0].assert.body.id.equals',
      step({ assert: { body: { id: { equals: z.any() } } } }),
    ],
    ['A Standard Schema', 'steps[0].assert.body.in[0]', step({ assert: { body: { in: [z.any()] } } })],
    ['A Standard Schema', 'steps[0].assert.status_code', step({ assert: { status_code: v.number() } })],
    ['A Standard Schema', 'steps[0].request.body', step({ request: { body: v.number() } })],
    ['A Standard Schema', 'steps[0].assert.headers', step({ assert: { headers: z.object({}) } })],
    ['A regular expression', 'variables.x', { variables: { x: /x/ } }],
    [
      'A regular expression',
      'steps[0].assert.body.not_equals.id',
      step({ assert: { body: { not_equals: { id: /x/ } } } }),
    ],
    [
      'A regular expression',
      'steps[0].assert["body.id.not_equals"]',
      step({ assert: { 'body.id.not_equals': /x/ } }),
    ],
    ['A regular expression', 'steps[0].assert.body.contains', step({ assert: { body: { contains: /x/ } } })],
  ])('%s is not allowed at %s', (what, field, definition) => {
    expect(problems(definition)).toEqual([`${what} is not allowed at \`${field}\`.`])
  })
})

test.each([
  ['steps[0].assert["body.id"]', step({ assert: { 'body.id': undefined } })],
  ['steps[0].assert.status_code', step({ assert: { status_code: undefined } })],
  ['steps[0].assert.body.id.equals', step({ assert: { body: { id: { equals: undefined } } } })],
  ['steps[0].assert.headers.etag', step({ assert: { headers: { etag: undefined } } })],
  ['steps[0].capture.id', step({ capture: { id: undefined } })],
  ['steps[0].assert', step({ assert: undefined })],
  [
    'steps[0].scenarios[0].then.assert',
    step({ scenarios: [{ condition: 'true', then: { assert: undefined } }] }),
  ],
  ['steps[0].scenarios[0].else', step({ scenarios: [{ condition: 'true', then: {}, else: undefined }] })],
  ['steps[0].stream.until', step({ stream: { until: undefined, events: 5 } })],
  ['steps[0].stream.events', step({ stream: { events: undefined } })],
  ['steps[0].websocket.exchange', step({ websocket: { url: '/x', exchange: undefined } })],
  ['steps[0].websocket.exchange[0].expect', talk({ expect: undefined })],
  ['steps[0].websocket.exchange[0].expect.id', talk({ expect: { op: 'a', id: undefined } })],
  ['steps[0].websocket.exchange[0].capture.id', talk({ expect: 'a', capture: { id: undefined } })],
  ['steps[0].assert.custom', step({ assert: { status_code: 200, custom: undefined } })],
  ['steps[0].assert.headers', step({ assert: { status_code: 200, headers: undefined } })],
  ['steps[0].scenarios', step({ scenarios: undefined })],
  ['steps[0].assert.body.request', step({ assert: { body: { request: undefined } } })],
  ['mocks[0].times', { mocks: [{ url: 'http://up/', times: undefined }] }],
  ['steps[0].mocks[0].when', step({ mocks: [{ url: 'http://up/', when: undefined }] })],
  ['mocks[0].when.body.id', { mocks: [{ url: 'http://up/', when: { body: { id: undefined } } }] }],
  ['steps[0].retry.until', step({ retry: { max_attempts: 2, until: undefined } })],
  ['retry.until', { retry: { until: undefined } }],
  ['defaults.assert', { defaults: { assert: undefined } }],
  ['defaults.assert.body', { defaults: { assert: { body: undefined } } }],
])('%s that is undefined is told, and not left out', (field, definition) => {
  expect(problems(definition)).toEqual([`\`${field}\` is undefined, which checks nothing.`])
})

test('where nothing is checked, what is undefined is left out', () => {
  const request = { url: '/', body: { a: undefined, events: undefined } }
  expect(problems(step({ request, variables: { until: undefined }, retry: undefined }))).toEqual([])
})

test('MSW handlers are told from mocks by what they are', () => {
  const handler = http.get('http://up/', () => undefined)
  const { value, problems: found } = liftDefinition({ mocks: [{ url: 'http://x/' }, handler] })
  expect(found).toEqual([])
  const { mocks } = value as { mocks: Mock[] }
  expect(mocks.map(findHandler)).toEqual([undefined, handler])
  expect(problems({ mocks: [{ run() {} }] })).toEqual([
    expect.stringContaining('to be an MSW request handler'),
  ])
})

function check(_variables: object): boolean {
  return true
}
