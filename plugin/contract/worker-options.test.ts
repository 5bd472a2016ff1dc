import { expect, test } from 'vitest'
import { resolveOptions } from './options.ts'
import { pickLoadSettings, readEnvVariables } from './worker-options.ts'

test('environment variables with the prefix become variables in lower case, whatever their names', () => {
  const env = {
    FLOW_TEST_HTTPBIN_URL: 'http://localhost',
    FLOW_TEST___PROTO__: 'x',
    FLOW_TEST_: 'no name',
    OTHER: 'y',
    FLOW_TEST_GONE: undefined,
  }
  expect(Object.entries(readEnvVariables(env))).toEqual([
    ['httpbin_url', 'http://localhost'],
    ['__proto__', 'x'],
  ])
})

test('suites are loaded with what the options say, and with the names of variables from the environment', () => {
  const env = { FLOW_TEST_FAR: 'x', OTHER: 'y' }
  expect(pickLoadSettings(resolveOptions({ variables: { a: 1 } }), env)).toMatchObject({
    variables: ['a'],
    compat: false,
    hasApp: false,
    isStrict: false,
  })
  const limits = { fileSize: 7 }
  const options = {
    variables: { a: 1 },
    compat: 'flow-test',
    unresolved: 'error',
    app: './app.ts',
    limits,
  } as const
  expect(pickLoadSettings(resolveOptions(options), env)).toMatchObject({
    variables: ['a', 'far'],
    compat: true,
    hasApp: true,
    isStrict: true,
    fileSize: 7,
  })
})
