import { describe, expect, test } from 'vitest'
import { findReads } from './find-reads.ts'
import type { LiftedFunction } from './lift-functions.ts'

/** Makes a function from its text, as the test file that holds it would. */
function make(text: string): LiftedFunction['call'] {
  // oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- the text of a function is what is read
  return new Function(`return ${text}`)() as LiftedFunction['call']
}

describe('what a function reads is found in its text', () => {
  test.each([
    ['() => 1', [], false],
    ['({ variables }) => variables.token', [['token']], false],
    ['({ variables: { token, user: u } }) => token + u', [['token'], ['user']], false],
    ['({ variables: v, body }) => v.a + v["b-c"] + body', [['a'], ['b-c']], true],
    ['({ variables: v = {}, ...rest }) => v.a', undefined, false],
    ['(values) => values.variables.auth.user.id', [['auth', 'user']], false],
    ['(values) => values.body.variables', [], true],
    ['values => values.variables?.token ?? values.status_code', [['token']], false],
    ['function ({ variables }) { return variables.token }', [['token']], false],
    ['function (variables) { return variables.variables.a }', [['a']], false],
    ['({ condition({ variables }) { return variables.token } }).condition', [['token']], false],
    [
      '({ variables }) => { const variables2 = 1; return [1].map((x) => variables.list[x]) }',
      [['list']],
      false,
    ],
    ['({ variables }) => ((variables) => variables.inner)({})', [], false],
    ['({ body: { id } }) => id', [], true],
    ['({ variables }) => typeof variables.token === "string"', [['token']], false],
  ])('%s', (text, variables, body) => {
    expect(findReads(make(text))).toEqual(variables && { variables, body })
  })

  test.each([
    '({ variables }) => Object.keys(variables)',
    '({ variables }) => variables[name]',
    '({ variables }) => { const { token } = variables; return token }',
    '(values) => check(values)',
    '({ ...values }) => values.variables.a',
    '({ [key]: variables }) => variables.a',
    'function () { return arguments[0].variables.a }',
    '[].map',
    'function () {}.bind(null)',
    'class { static variables = 1 }',
  ])('unless the text does not tell: %s', (text) => {
    expect(findReads(make(text))).toBeUndefined()
  })
})
