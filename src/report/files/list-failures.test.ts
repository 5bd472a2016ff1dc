import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { makeStep, makeSuite } from '../fixtures/make-results.ts'
import { makeRun } from '../fixtures/make-run.ts'
import schema from '../schema/failures.schema.json' with { type: 'json' }
import { listFailures } from './list-failures.ts'

const wrong = { field: 'status_code', expected: 200, actual: 401, passed: false, message: 'Expected 200' }
const right = { field: 'body.a.equals', expected: 1, actual: 1, passed: true, message: 'OK' }

test('a failed step is told with its checks, request, answer and the command that runs it', () => {
  const step = makeStep({
    status: 'failure',
    assertions_results: [wrong, right],
    error_message: 'Expected 200',
    failed_lines: [9, 12],
    response_details: {
      status_code: 401,
      headers: { 'content-type': 'text/plain' },
      body: 'who?',
      size_bytes: 4,
      transfer_bytes: 4,
    },
  })
  expect(listFailures(makeSuite([makeStep({}), step]))).toEqual([
    {
      file: 'tests/auth.suite.yaml',
      line: 9,
      suite: 'Auth',
      step: 'Fetch profile',
      step_id: 'auth::step-1-fetch-profile',
      message: 'Expected 200',
      checks: [{ check: 'status_code', expected: 200, received: 401, message: 'Expected 200' }],
      request: {
        method: 'GET',
        url: 'http://127.0.0.1:1/get?a=1',
        curl: "curl 'http://127.0.0.1:1/get?a=1'",
      },
      response: { status_code: 401, content_type: 'text/plain', body: 'who?' },
      hint: 'The server rejected the credentials: check `auth` and the step that captures them; if they are in a cookie, the suite needs `cookies: true`.',
      command: 'npx vitest run tests/auth.suite.yaml:7',
    },
  ])
})

test('long values are cut, and odd paths quoted', () => {
  const long = {
    ...wrong,
    field: 'body.equals',
    expected: 'x'.repeat(5000),
    actual: { a: ['y'.repeat(5000)] },
  }
  const step = makeStep({ status: 'failure', assertions_results: [long], error_message: 'z'.repeat(5000) })
  const [failure] = listFailures(makeSuite([step], { file_path: "it's/a b.suite.yaml" }))
  expect(failure?.checks[0]?.expected).toMatch(/^x{2000}… \[cut: 2 KiB of 4.9 KiB shown\]$/)
  expect(failure?.checks[0]?.received).toMatch(/^\{"a":\["y+… \[cut: /)
  expect(failure?.message).toMatch(/^z{2000}… /)
  expect(failure?.hint).toBeUndefined()
  expect(failure?.command).toBe(`npx vitest run 'it'\\''s/a b.suite.yaml:7'`)
})

test('a suite that did not load is told with its first mistake', () => {
  const error_message =
    'a.suite.yaml:4:5 error unknown-field: Unknown field `asert`.\n  hint: Did you mean `assert`?\n  frame'
  const suite = makeSuite([], { status: 'failure', file_path: 'a.suite.yaml', error_message })
  expect(listFailures(suite)).toEqual([
    {
      file: 'a.suite.yaml',
      line: 4,
      suite: 'Auth',
      message: error_message,
      checks: [],
      hint: 'Did you mean `assert`?',
      command: 'npx vitest run a.suite.yaml',
    },
  ])
  expect(listFailures({ ...suite, error_message: 'The worker ended.' })[0]).toMatchObject({
    message: 'The worker ended.',
    command: 'npx vitest run a.suite.yaml',
  })
  const row = { ...suite, suite_name: 'A [2: code=400]', error_message: 'The worker ended.' }
  expect(listFailures(row)[0]?.command).toBe(String.raw`npx vitest run a.suite.yaml -t '\[2: '`)
})

test('a suite that failed as a whole is told with the line and hint of its first mistake, whatever its path', () => {
  const [file_path, rest] = ['my tests/a.suite.yaml', '9:1 error y: B.\n  hint: Do that.']
  const read = (error_message: string) =>
    listFailures(makeSuite([], { status: 'failure', file_path, error_message }))[0]
  const both = read(`${file_path}:4:5 error x: A.\n  frame\n\n${file_path}:${rest}`)
  expect([both?.line, both?.hint]).toEqual([4, undefined])
  expect(read(`${file_path}:4:5: the set-up failed`)?.line).toBe(4)
})

test('the failures of every outcome keep to the schema, and others do not', () => {
  const validate = new Ajv({ allErrors: true }).compile(schema)
  const failures = makeRun().flatMap(listFailures)
  expect(failures.length).toBe(2)
  expect([validate({ version: 1, failures, errors: ['late'] }), validate.errors]).toEqual([true, null])
  expect(validate({ version: 1, failures: [{ ...failures[0], extra: 1 }], errors: [] })).toBe(false)
})

test.each([
  [500, 'The server failed'],
  [401, 'The server rejected the credentials'],
  [404, 'The server has nothing at this address'],
  [429, 'The server got too many requests'],
  [502, 'The server failed'],
  [409, undefined],
])('what the status %i usually means is told: %s', (status_code, hint) => {
  const { response_details } = makeStep({})
  const details = { ...response_details, status_code } as never
  const step = makeStep({ status: 'failure', assertions_results: [wrong], response_details: details })
  expect(listFailures(makeSuite([step]))[0]?.hint?.split(/[,:]/)[0]).toBe(hint)
})
