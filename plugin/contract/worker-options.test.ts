import { expect, test } from 'vitest'
import { readEnvVariables } from './worker-options.ts'

test('environment variables with the prefix become variables in lower case, whatever their names', () => {
  const env = {
    FLOW_TEST_HTTPBIN_URL: 'http://localhost',
    FLOW_TEST___PROTO__: 'x',
    FLOW_TEST_: 'no name',
    OTHER: 'y',
    FLOW_TEST_GONE: undefined,
  }
  expect(readEnvVariables({}, env)).toEqual({})
  expect(Object.entries(readEnvVariables({ compat: 'flow-test' }, env))).toEqual([
    ['httpbin_url', 'http://localhost'],
    ['__proto__', 'x'],
  ])
})
