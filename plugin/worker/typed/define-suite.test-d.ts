// oxlint-disable vitest/expect-expect, unicorn/no-thenable -- types are checked, nothing runs
import { http, HttpResponse } from 'msw'
import { describe, expectTypeOf, test } from 'vitest'
import { defineSuite, type Json, type Step, type Suite, type SuiteResult } from '../../define-suite.ts'

const request = { url: '/get' }

const send = (_request: Step['request']): void => {}

const takeStep = (step: Omit<Step, 'name' | 'request'>): unknown => step

describe('a suite literal', () => {
  test('is checked, with satisfies and as const', () => {
    const suite = {
      suite_name: 'S',
      metadata: { priority: 'high', tags: ['a'] },
      variables: { user: 'ada', list: [1, { deep: null }] },
      each: [{ n: 1 }],
      mocks: [
        { url: 'http://up/', respond: { body: [1] } },
        http.get('http://up/', () => HttpResponse.json({})),
      ],
      steps: [
        {
          name: 'one',
          request: { method: 'POST', url: '/x', body: { list: [1, 'a', null] }, headers: { 'X-A': 'b' } },
          assert: {
            status_code: [200, 201],
            'body.items[0].id': 5,
            body: { id: /^a/, more: { each: { type: 'string' } } },
          },
          capture: { token: 'body.token', id: { path: 'body.id', optional: true } },
          retry: { max_attempts: 2, backoff: 'fixed', on: [503] },
          skip: 'variables.user === "bob"',
        },
      ],
    } as const satisfies Suite
    defineSuite(suite)
    expectTypeOf(suite.steps[0].name).toEqualTypeOf<'one'>()
    const typed: Suite = { suite_name: 'S', steps: [{ name: 'one', request }] }
    defineSuite(typed)
  })

  test('has functions in its defaults', () => {
    defineSuite({
      suite_name: 'S',
      variables: { token: 't' },
      defaults: {
        headers: { 'x-a': ({ variables }) => variables.token, 'x-b': null },
        auth: { bearer: ({ variables }) => variables.token },
        assert: { status_code: '2xx', custom: [{ condition: ({ body }) => body.ok === true }] },
      },
      steps: [{ name: 'a', request }],
    })
    const whole = { url: '/', headers: '{{given}}', multipart: () => null }
    const step = { name: 'a', request: { ...whole, params: () => ({ page: 1 }) } }
    defineSuite({ suite_name: 'S', steps: [step] })
    // @ts-expect-error the parameters are a map
    defineSuite({ suite_name: 'S', steps: [{ name: 'a', request: { url: '/', params: () => 5 } }] })
    // @ts-expect-error a whole map of defaults cannot be a function
    defineSuite({ suite_name: 'S', defaults: { headers: () => ({}) }, steps: [{ name: 'a', request }] })
  })

  test('has every scheme of auth', () => {
    const key = { name: 'x-key', value: ({ variables }: { variables: { key: string } }) => variables.key }
    defineSuite({ suite_name: 'S', steps: [{ name: 'a', request: { url: '/', auth: 'none' } }] })
    defineSuite({
      suite_name: 'S',
      steps: [{ name: 'a', request: { url: '/', auth: { bearer: () => 't' } } }],
    })
    defineSuite({
      suite_name: 'S',
      variables: { key: 'k' },
      steps: [{ name: 'a', request: { url: '/', auth: { api_key: key } } }],
    })
    // @ts-expect-error -- a function gives a setting, not all of them
    send({ url: '/', auth: { basic: () => ({ username: 'u', password: 'p' }) } })
    // @ts-expect-error -- nor a word of the format
    send({ url: '/', auth: { api_key: { name: 'n', value: 'v', in: () => 'query' } } })
    // @ts-expect-error -- no such scheme
    const unknown: Step = { name: 'a', request: { url: '/', auth: { oauth: {} } } }
    // @ts-expect-error -- settings are missing
    const incomplete: Step = { name: 'a', request: { url: '/', auth: { aws: { region: 'r' } } } }
    defineSuite({ suite_name: 'S', steps: [unknown, incomplete] })
  })

  test('takes integers of any length, and functions for single headers', () => {
    const long: Step = {
      name: 'a',
      request: { url: '/', body: { id: 12345678901234567890n } },
      assert: { body: { id: 12345678901234567890n }, headers: { etag: () => 'x' } },
    }
    // @ts-expect-error -- the names of headers are written out
    const headers: Step['assert'] = { headers: () => ({}) }
    defineSuite({ suite_name: 'S', steps: [long, { name: 'b', request, assert: headers }] })
  })

  test('needs its name and steps', () => {
    // @ts-expect-error -- without steps
    defineSuite({ suite_name: 'S' })
    // @ts-expect-error -- without a name
    defineSuite({ steps: [{ name: 'one', request }] })
    // @ts-expect-error -- a step without a name
    defineSuite({ suite_name: 'S', steps: [{ request }] })
  })

  test('keeps the names of its steps, since TypeScript compares each step with all others of the same name', () => {
    const step = { name: 'one', request } satisfies Step
    expectTypeOf(step.name).toEqualTypeOf<'one'>()
    const steps = [1, 2].map((n) => ({ name: `step ${n}`, request }))
    defineSuite({ suite_name: 'S', setup: steps, steps, teardown: [] })
  })

  test('has the names of operators for editors, where checks are', () => {
    type Written<Map> = keyof { [Name in keyof Map as string extends Name ? never : Name]: 0 }
    type Checks = NonNullable<NonNullable<Step['assert']>['events']>
    expectTypeOf<'minLength'>().toExtend<Written<Extract<Checks, { exists?: unknown; each?: unknown }>>>()
    type Headers = NonNullable<NonNullable<Step['assert']>['headers']>
    expectTypeOf<'minLength'>().not.toExtend<
      Written<Extract<Headers, { readonly [name: string]: unknown }>>
    >()
  })

  test('has what paths, selectors and other suites give, and no exports', () => {
    defineSuite({
      suite_name: 'S',
      steps: [
        { name: 'a', request, capture: { x: { xpath: '//a' }, c: { css: 'h1', optional: true } } },
        {
          name: 'b',
          call: { suite: 'other', variables: { id: ({ variables }) => variables['x'] ?? null } },
          capture: { same: ({ variables }) => variables['x'] ?? 1n },
        },
        { name: 'c', request: { url: '/', body: { id: ({ variables }) => variables['x'] ?? null } } },
        { name: 'd', request, iterate: { as: 'i', over: ({ variables }) => variables['x'] as Json[] } },
        { name: 'e', request: { url: '/', auth: { bearer: ({ variables }) => variables['x'] ?? '' } } },
      ],
    })
    // @ts-expect-error -- a suite in TypeScript cannot export
    defineSuite({ suite_name: 'S', exports: ['x'], steps: [{ name: 'a', request }] })
  })

  test('has no misspelt keys', () => {
    // @ts-expect-error -- of the suite
    defineSuite({ suite_name: 'S', steps: [{ name: 'one', request }], stesp: [] })
    // @ts-expect-error -- of a step
    defineSuite({ suite_name: 'S', steps: [{ name: 'one', request, asert: {} }] })
    // @ts-expect-error -- of a request
    defineSuite({ suite_name: 'S', steps: [{ name: 'one', request: { url: '/', boddy: {} } }] })
    // @ts-expect-error -- of the assertions
    defineSuite({ suite_name: 'S', steps: [{ name: 'one', request, assert: { staus_code: 200 } }] })
    // @ts-expect-error -- of a file in a form
    send({ url: '/', multipart: { photo: { fle: 'me.png' } } })
    send({ url: '/', multipart: { photo: [{ file: () => 'me.png' }, 'text', { value: { n: () => 1 } }] } })
    // @ts-expect-error -- of retry
    defineSuite({ suite_name: 'S', steps: [{ name: 'one', request, retry: { max_atempts: 2 } }] })
    // @ts-expect-error -- of a stream
    defineSuite({ suite_name: 'S', steps: [{ name: 'one', request, stream: { untill: 'x' } }] })
    // @ts-expect-error -- of a burst
    defineSuite({ suite_name: 'S', steps: [{ name: 'one', request, burst: { time: 2 } }] })
    // @ts-expect-error -- of a websocket
    defineSuite({ suite_name: 'S', steps: [{ name: 'one', websocket: { url: '/', exchnge: [] } }] })
    defineSuite({
      suite_name: 'S',
      steps: [
        {
          name: 'one',
          websocket: { url: '/', exchange: [{ send: { n: 1 } }, { expect: { n: 1 }, within: '1s' }] },
          assert: { 'messages[0].type': 'text', 'data.id': 7, 'size_bytes.less_than': 9, close_code: 1000 },
          capture: { last: ({ messages }) => messages?.at(-1)?.data.n },
        },
        {
          name: 'two',
          request,
          burst: { times: 3 },
          assert: { responses: [{ where: { status_code: 201 }, count: 1 }] },
          capture: { all: ({ responses = [] }) => responses.map(({ status_code }) => status_code) },
        },
      ],
    })
    // @ts-expect-error -- of the responses of a burst
    void ({ responses: [{ where: { status_code: 201 }, cuont: 1 }] } satisfies Step['assert'])
    // @ts-expect-error -- of a number
    void ({ close_code: { contains: 1 } } satisfies Step['assert'])
    // @ts-expect-error -- of a scenario
    defineSuite({ suite_name: 'S', steps: [{ name: 'one', request, scenarios: [{ when: 'x', then: {} }] }] })
    // @ts-expect-error -- of a custom check
    void ({ custom: [{ condition: 'x', mesage: 'm' }] } satisfies Step['assert'])
    // @ts-expect-error -- of a step that satisfies Step
    void ({ name: 'one', request, captures: {} } satisfies Step)
  })

  test('has values of the right type', () => {
    // @ts-expect-error -- a priority that does not exist
    defineSuite({ suite_name: 'S', metadata: { priority: 'urgent' }, steps: [{ name: 'one', request }] })
    // @ts-expect-error -- a flag for milliseconds
    defineSuite({ suite_name: 'S', timeout: true, steps: [{ name: 'one', request }] })
    // @ts-expect-error -- a function where none may be
    defineSuite({ suite_name: 'S', steps: [{ name: () => 'one', request }] })
    // @ts-expect-error -- a date is not a variable
    defineSuite({ suite_name: 'S', variables: { at: new Date() }, steps: [{ name: 'one', request }] })
  })
})

describe('functions', () => {
  test('know the variables, and any other name', () => {
    defineSuite({
      suite_name: 'S',
      steps: [
        {
          name: 'one',
          request: {
            url: ({ variables }) => {
              expectTypeOf(variables.user).toEqualTypeOf<string>()
              expectTypeOf(variables.limits.low).toEqualTypeOf<number>()
              expectTypeOf(variables.tags).toEqualTypeOf<string[]>()
              expectTypeOf(variables['captured']).toEqualTypeOf<Json | undefined>()
              return `/${variables.user}`
            },
            headers: { 'X-User': ({ variables }) => variables.user, none: undefined },
            body: { deep: [{ user: ({ variables }) => variables.user }] },
          },
          // @ts-expect-error -- there is no response before the request
          skip: ({ status_code }) => status_code === 200,
          assert: {
            'body.user': ({ variables }) => variables['captured'],
            custom: [
              {
                condition: ({ status_code, headers, response_time, request: sent, variables }) => {
                  expectTypeOf(status_code).toEqualTypeOf<number>()
                  expectTypeOf(headers['x']).toEqualTypeOf<string | string[] | undefined>()
                  expectTypeOf(response_time).toEqualTypeOf<number>()
                  expectTypeOf(sent.body).toEqualTypeOf<Json>()
                  return variables.limits.low < 5
                },
              },
            ],
            body: { user: ({ variables }) => variables.user },
          },
          scenarios: [
            { condition: ({ body }) => body.ok === true, then: { capture: { id: ({ body }) => body.id } } },
          ],
          retry: { max_attempts: 2, until: ({ status_code }) => status_code === 200 },
        },
      ],
      variables: { user: 'ada', limits: { low: 1 }, tags: ['a'] },
    })
  })

  test('stand only where a value may depend on the run', () => {
    // @ts-expect-error -- not for the reason of a skip
    takeStep({ skip: { when: true, reason: () => true } })
    takeStep({ stream: { until: ({ event }) => event.data.done === true && event.at_ms > 0 } })
    // @ts-expect-error -- the response is not there yet
    takeStep({ stream: { until: ({ body }) => body === 1 } })
    // @ts-expect-error -- not for all of retry
    takeStep({ retry: () => true })
    // @ts-expect-error -- nor for the number of attempts
    takeStep({ retry: { max_attempts: () => true } })
    // @ts-expect-error -- nor for a range
    takeStep({ iterate: { range: () => '1..3', as: 'i' } })
    takeStep({
      skip: { when: () => true },
      retry: { max_attempts: 2, until: () => true },
      iterate: { over: () => [1], as: 'i' },
    })
  })

  test('of conditions give booleans, at once or later', () => {
    // @ts-expect-error -- a string is not a condition
    defineSuite({ suite_name: 'S', steps: [{ name: 'one', request, skip: () => 'yes' }] })
    // @ts-expect-error -- nor is a promise of one
    defineSuite({ suite_name: 'S', steps: [{ name: 'one', request, skip: async () => 'yes' }] })
    defineSuite({ suite_name: 'S', steps: [{ name: 'one', request, skip: async () => true }] })
    // @ts-expect-error -- what stops a stream is asked for each event
    takeStep({ stream: { until: async () => true } })
    // @ts-expect-error -- not a url
    send({ url: async () => 1 })
    send({ url: async () => '/', headers: { a: async () => 'x' }, body: async () => ({}) })
    send({ url: '/', body: { a: async () => 1 } })
  })

  test('cannot change what they are given', () => {
    defineSuite({
      suite_name: 'S',
      variables: { n: 1 },
      steps: [
        {
          name: 'one',
          request,
          capture: {
            n: ({ variables }) => {
              // @ts-expect-error -- read-only
              variables.n = 2
              return variables.n
            },
          },
        },
      ],
    })
  })
})

test('results are typed', () => {
  type Status = SuiteResult['steps_results'][number]['status']
  expectTypeOf<Status>().toEqualTypeOf<'success' | 'failure' | 'skipped' | 'not_run'>()
})
