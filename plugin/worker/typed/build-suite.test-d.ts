// oxlint-disable vitest/expect-expect -- types are checked, nothing runs
import * as v from 'valibot'
import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { buildSuite, type Json } from '../../define-suite.ts'

const request = { url: '/get' }

test('knows what earlier steps captured', () => {
  buildSuite({ suite_name: 'S', variables: { user: 'ada' } })
    .step({
      name: 'log in',
      request: { url: ({ variables }) => `/${variables.user}` },
      capture: { token: ({ body }) => String(body.token), count: () => 3, found: 'body.id', fixed: true },
    })
    .step({
      name: 'use it',
      request: {
        url: ({ variables }) => {
          expectTypeOf(variables.token).toEqualTypeOf<string>()
          expectTypeOf(variables.count).toEqualTypeOf<number>()
          expectTypeOf(variables.found).toEqualTypeOf<Json | undefined>()
          expectTypeOf(variables.user).toEqualTypeOf<string>()
          return `/${variables.token.toUpperCase()}`
        },
      },
      capture: { user: () => 5 },
    })
    .step({
      name: 'a later capture wins',
      request,
      assert: { custom: [{ condition: ({ variables }) => variables.user.toFixed(1) === variables.token }] },
    })
})

test('knows the body that a schema describes', () => {
  const suite = buildSuite({ suite_name: 'S' })
  suite.step({
    name: 'zod',
    request,
    assert: { body: z.object({ id: z.number(), at: z.coerce.date() }), status_code: 200 },
    capture: {
      id: ({ body }) => {
        expectTypeOf(body.id).toEqualTypeOf<number>()
        return body.id
      },
    },
  })
  suite.step({
    name: 'valibot',
    request,
    assert: { body: v.object({ name: v.pipe(v.string(), v.transform(Number)) }) },
    capture: {
      name: ({ body }) => {
        // The body as received, not as the schema transforms it.
        expectTypeOf(body.name).toEqualTypeOf<string>()
        return body.name
      },
    },
  })
})

test('has no misspelt keys', () => {
  // @ts-expect-error -- of a step
  buildSuite({ suite_name: 'S' }).step({ name: 'one', request, asert: {} })
  // @ts-expect-error -- of the suite
  buildSuite({ suite_nam: 'S' })
})

test('captures data', () => {
  const suite = buildSuite({ suite_name: 'S' })
  suite
    .step({ name: 'one', request, capture: { id: async () => 1 } })
    .step({ name: 'two', request: { url: ({ variables }) => `/${variables.id.toFixed()}` } })
  // @ts-expect-error -- undefined is not a value
  suite.step({ name: 'one', request, capture: { id: () => undefined } })
})
