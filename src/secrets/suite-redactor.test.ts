import { expect, test } from 'vitest'
import { createSecretSearch } from './secret-search.ts'
import { createSuiteRedactor, learnCaptures, listSecretNames } from './suite-redactor.ts'

const plan = {
  redact: ['pin'],
  variables: { api_token: 'x', open: 1 },
  exports: ['session_token'],
  each: [{ user: 'a', password: 'b' }],
  setup: [{ captures: [{ name: 'jwt', path: 'body.a' }] }],
  steps: [{ captures: [{ name: 'id', path: 'body.id' }], inputs: { client_secret: 1 } }],
  teardown: [],
}

test('the names that will be secret are known from the plan', () => {
  const redactor = createSuiteRedactor({ redact: [] }, [{ source: '^ses', flags: 'i' }])
  expect(listSecretNames(plan, redactor)).toEqual([
    'pin',
    'session_token',
    'jwt',
    'api_token',
    'password',
    'client_secret',
  ])
})

test('what a secret capture would take is secret before it is taken', () => {
  const redactor = createSuiteRedactor(plan, [])
  const response = {
    headers: { 'x-session': 'head-4711' },
    body: { data: [{ code: 'code-4711' }], id: 'id-4711' },
  }
  const captures = [
    { name: 'token', path: 'body.data[0].code' },
    { name: 'session_token', path: 'headers."x-session"' },
    { name: 'id', path: 'body.id' },
    { name: 'other_token', path: 'body.constructor.name' },
    { name: 'third_token', path: 'body.data[*].code' },
  ]
  learnCaptures(redactor, captures, response)
  expect(redactor.secrets()).toEqual(['code-4711', 'head-4711'])
  expect(redactor.nameOf('code-4711')).toBe('token')
})

test('redactors that share a search hide the secrets of each other, by their own names', () => {
  const search = createSecretSearch()
  const one = createSuiteRedactor({ redact: ['pin'] }, undefined, search)
  const other = createSuiteRedactor({ redact: [] }, undefined, search)
  one.learn({ pin: 'pin-4711' })
  expect(other.redactJson({ pin: 'short', text: 'a pin-4711' })).toEqual({
    pin: 'short',
    text: 'a [redacted]',
  })
})
