import { expect, test } from 'vitest'
import { readGlobals } from './read-globals.ts'

test('environment variables with the prefix become variables in lower case, whatever their names', () => {
  const globals = readGlobals({
    FLOW_TEST_HTTPBIN_URL: 'http://localhost',
    FLOW_TEST___PROTO__: 'x',
    FLOW_TEST_: 'no name',
    OTHER: 'y',
    FLOW_TEST_GONE: undefined,
  })
  expect(Object.entries(globals)).toEqual([
    ['httpbin_url', 'http://localhost'],
    ['__proto__', 'x'],
  ])
})
