import { describe, expect, test } from 'vitest'
import { findReads, readExpression } from './find-reads.ts'
import type { LiftedFunction } from './lift-functions.ts'

/** Makes a function from its text, as the test file that holds it would. */
function make(text: string): LiftedFunction['call'] {
  // oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- the text of a function is what is read
  return new Function(`return ${text}`)() as LiftedFunction['call']
}

describe('what a function reads is found in its text', () => {
  test.each([
    ['() => 1', []],
    ['async () => 1', []],
    ['async values => values.variables.token', ['variables.token']],
    ['({ variables }) => variables.token', ['variables.token']],
    ['({ variables: { token, user: u } }) => token + u', ['variables.token', 'variables.user']],
    [
      '({ variables, body }) => variables.a + variables["b-c"] + body',
      ["variables['b-c']", 'body', 'variables.a'],
    ],
    ['({ variables: { auth }, body }) => auth.token.id + body', ['variables.auth.token', 'body']],
    ['(values) => values.variables.auth.user.id', ['variables.auth.user']],
    ['values => values.variables?.token ?? values.status_code', ['variables.token', 'status_code']],
    ['function ({ variables }) { return variables.token }', ['variables.token']],
    ['({ condition({ variables }) { return variables.token } }).condition', ['variables.token']],
    ['({ condition(values) { return values.body.id } }).condition', ['body']],
    ['() => { const body = 1; return body }', []],
    [
      '({ variables }) => { const variables2 = 1; return [1].map((x) => variables.list[x]) }',
      ['variables.list'],
    ],
    ['({ body: { id } }) => id', ['body']],
    ['({ body }) => body.errors[0].message', ['body.errors']],
    ['({ variables }) => typeof variables.token === "string"', ['variables.token']],
    ['({ variables: { auth: { token } } }) => token', ['variables.auth.token']],
    ['({ variables }) => ((variables) => variables.inner)({})', []],
    ['(values) => values["variables"].a', ['variables.a']],
    ['({ variables: v }) => v.a', ['variables.a']],
    ['({ variables: v = {}, ...rest }) => v.a', ['variables.a']],
    ['({ variables }) => { const { token } = variables; return token }', ['variables.token']],
    ['({ variables: { auth = {} } }) => auth.token', ['variables.auth.token']],
    ['({ variables, token = variables.token }) => token', ['variables.token']],
    ['({ variables: { list: [first] } }) => first', ['variables.list']],
    [
      '({ variables }) => { const { a = variables.b } = variables; return () => a }',
      ['variables.a', 'variables.b'],
    ],
    [
      '({ variables }) => { const { auth } = variables; const { token: { id } } = auth; return id }',
      ['variables.auth.token'],
    ],
    [
      '(values) => { const { variables: { auth }, body } = values; return auth.token + body }',
      ['variables.auth.token', 'body'],
    ],
    ['({ variables }) => [1].map(function () { return arguments[0] + variables.a })', ['variables.a']],
    ['({ status_code, headers }) => status_code + headers.a', ['status_code']],
    ['({ events, close_code }) => events?.length ?? close_code', ["'events'", "'close_code'"]],
  ])('%s', (text, reads) => {
    expect(findReads(make(text))?.toSorted()).toEqual(reads.toSorted())
  })

  test.each([
    '({ variables }) => Object.keys(variables)',
    '({ variables }) => variables["x y"]',
    '({ variables }) => variables[name]',
    '(values) => check(values)',
    '({ ...values }) => values.variables.a',
    '({ [key]: variables }) => variables.a',
    'function () { return arguments[0].variables.a }',
    '(...all) => all[0].variables.a',
    '({ variables }) => { const { a } = variables[key]; return a }',
    '({ variables }) => [1].map(() => { const { a } = variables; return a })',
    '({ variables }) => { const { a = variables } = variables; return a }',
    '({ variables: { ...rest } }) => rest.a',
    '({ variables }) => { const { ...rest } = variables; return rest.a }',
    '({ variables }) => { const all = variables; return all.a }',
    '({ variables: v }) => { if (v.c) { const { id } = v.a; return id } const { id } = v.b; return id }',
    '({ variables, body }) => { if (variables.a) { const { body } = variables; return body } return body.id }',
    '[].map',
    'function () {}.bind(null)',
    'class { static variables = 1 }',
  ])('unless the text does not tell: %s', (text) => {
    expect(findReads(make(text))).toBeUndefined()
  })
})

test.each([
  ['({ body }) => body.x !== 1', 'body.x !== 1'],
  ['({ body, variables }) => (body.x === variables.y)', '(body.x === variables.y)'],
  ['({ body }) => { return body.items.every((one) => one.id > 0) }', 'body.items.every((one) => one.id > 0)'],
  ['({ condition({ body }) { return Number(body.x) > 1 } }).condition', 'Number(body.x) > 1'],
  ['function ({ status_code }) { return status_code < 300 }', 'status_code < 300'],
  ['() => true', 'true'],
  ['({ body: { x } }) => x !== 1', ''],
  ['({ body: data }) => data.x !== 1', ''],
  ['({ body = {} }) => body.x !== 1', ''],
  ['({ ...rest }) => rest.body.x !== 1', ''],
  ['(values) => values.body.x !== 1', ''],
  ['({ body }) => body.x !== limit', ''],
  ['({ body }) => { const { x } = body; return x !== 1 }', ''],
  ['({ body }) => { }', ''],
  ['({ body }) => { return }', ''],
  ['({ body }) => { body.x }', ''],
  ['({ body }) => { if (body.x) return true }', ''],
  ['({ condition({ body }) { return super.x === body.x } }).condition', ''],
  ['Math.max', ''],
])('the expression of %s is %s', (text, expected) => {
  expect(readExpression(make(text))).toBe(expected)
})
