import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SuiteError } from '../../src/errors.ts'
import { makeFolder } from '../../src/fixtures/make-folder.ts'
import { redactError } from './redact-error.ts'

/** What remains of a code frame of a suite that cannot be loaded. */
function showFrame(head: string): string {
  const line = 'body: { pin: abcd-12345, note: 1 }'
  const name = 'broken.suite.yaml'
  const path = join(makeFolder({ [name]: `${head}\n${line}\nnote: abcd-12345\n` }), name)
  const problem = { code: 'unknown-field', severity: 'error', message: 'Unknown.', range: [0, 1] } as const
  const located = {
    ...problem,
    location: { file: path, line: 1, column: 1 },
    frame: `${line}\nnote: abcd-12345`,
  }
  return redactError(new SuiteError(path, [located]), { redact: [], env: {}, path }).message
}

test.each([
  ['in one line', 'redact: [other, pin] # mine'],
  ['quoted', `redact: ['pin', "other"]`],
  ['one below the other', 'suite_name: A\nredact:\n  - other\n  - pin # mine\nsteps: []'],
])('what a suite names in its own `redact` list stays out of its errors: %s', (_, head) => {
  expect(showFrame(head)).not.toContain('12345')
})

test('other names are shown', () => {
  expect(showFrame('redact: [other]')).toContain('abcd-12345')
})

test('the caret stays below what it points at, and a password in an address is hidden', () => {
  const frame = "> 2 | base_url: 'http://me:hunter2@h/' # no\n    |                                  ^^^^"
  const problem = { code: 'bad-value', severity: 'error', message: 'No.', range: [0, 1] } as const
  const located = { ...problem, location: { file: 'a.suite.yaml', line: 2, column: 30 }, frame }
  const [shown] = redactError(new SuiteError('a.suite.yaml', [located]), {
    redact: [],
    env: {},
    path: 'none',
  }).problems
  expect(shown?.frame).toBe(frame.replace('hunter2', '*******'))
})

test('the carets below a secret of another file are no value', () => {
  const frame = "  1 | secrets:\n> 2 |   password: '{{$env.NOPE}}'\n    |                ^^^^"
  const problem = { code: 'unknown-variable', severity: 'error', message: 'Unset.', range: [0, 1] } as const
  const located = { ...problem, location: { file: 'shared.yaml', line: 1, column: 1 }, frame }
  const [shown] = redactError(new SuiteError('a.suite.yaml', [located]), {
    redact: [],
    env: {},
    path: 'none',
  }).problems
  expect(shown?.frame).toBe(frame)
})

test('what checks of a secret field say of its size and type is shown, and the path that gives it; values are not', () => {
  const frame = [
    'token: { minLength: -3, type: strin, equals: abcd-12345 }',
    'password:',
    '  maxLength: 4',
    '  equals: efgh-67890',
    "capture: { secret: split(body.url, '/')[1], other_token: body.items[?id == `1`].token }",
  ].join('\n')
  const path = join(makeFolder({ 'broken.suite.yaml': frame }), 'broken.suite.yaml')
  const problem = {
    code: 'bad-check',
    severity: 'error',
    message: 'got `strin` (string)',
    range: [0, 1],
  } as const
  const located = { ...problem, location: { file: path, line: 1, column: 1 }, frame }
  const [shown] = redactError(new SuiteError(path, [located]), { redact: [], env: {}, path }).problems
  expect(shown?.frame).toBe(frame.replace(/abcd-12345|efgh-67890/g, '**********'))
  expect(shown?.message).toBe('got `strin` (string)')
})

test.each([
  ["body: { user: 'ann', password: 'corr…", 'corr…'],
  ["auth: { api_key: { in: header, value: 'corr…", "{ in: header, value: 'corr…"],
  ['auth: { api_key: { in: header, tags: [corr…', '{ in: header, tags: [corr…'],
])('a secret whose line is cut in a frame hides nothing of the next line: %s', (line, secret) => {
  const problem = { code: 'bad-value', severity: 'error', message: 'm', range: [0, 1] } as const
  const frame = `  1 |   ${line}\n> 2 |   delay_ms: 'y'\n    |             ^^^`
  const located = { ...problem, location: { file: 'a.suite.yaml', line: 2, column: 13 }, frame }
  const [shown] = redactError(new SuiteError('a.suite.yaml', [located]), {
    redact: [],
    env: {},
    path: '/nowhere/a.suite.yaml',
  }).problems
  expect(shown?.frame).toBe(frame.replace(secret, '*'.repeat(secret.length)))
})

test.each([
  ['in its file', 'shared.yaml', '  1 | a: 1'],
  [
    'in its frame, if it is in no file',
    'the option `defaults`',
    '> 1 |   "password": "abcd-12345"\n    |               ^^^',
  ],
])('a secret that another place has is hidden in the message: %s', (_, file, frame) => {
  const folder = makeFolder({ 'shared.yaml': 'variables: { password: abcd-12345 }\n' })
  const problem = {
    code: 'bad-value',
    severity: 'error',
    message: 'got `abcd-12345`',
    range: [0, 1],
  } as const
  const located = { ...problem, location: { file, line: 1, column: 1 }, frame }
  const path = join(folder, 'a.suite.yaml')
  const [shown] = redactError(new SuiteError('a.suite.yaml', [located]), {
    redact: [],
    env: {},
    path,
  }).problems
  expect(shown?.message).toBe('got `[redacted]`')
  expect(shown?.frame).not.toContain('12345')
})

test('a secret in double quotes whose line is cut hides nothing of the next line', () => {
  const problem = { code: 'bad-value', severity: 'error', message: 'm', range: [0, 1] } as const
  const frame =
    '  1 |   body: { "user": "ann", "password": "corr…\n> 2 |   delay_ms: "y"\n    |             ^^^'
  const located = { ...problem, location: { file: 'a.suite.yaml', line: 2, column: 13 }, frame }
  const [shown] = redactError(new SuiteError('a.suite.yaml', [located]), {
    redact: [],
    env: {},
    path: 'none',
  }).problems
  expect(shown?.frame).toBe(frame.replace('corr…', '*****'))
})

test('a line that is cut inside quotes is shown without a closing one', () => {
  const problem = { code: 'bad-value', severity: 'error', message: 'm', range: [0, 1] } as const
  const frame = "  1 |   password: 'ab12-cd34'\n> 2 |   note: 'not ab12-cd34 but…\n    |   ^^^^\n  3 | x: 1"
  const located = { ...problem, location: { file: 'a.suite.yaml', line: 2, column: 3 }, frame }
  const settings = { redact: [], env: {}, path: 'none' }
  const [shown] = redactError(new SuiteError('a.suite.yaml', [located]), settings).problems
  expect(shown?.frame).toBe(frame.replace("'ab12-cd34'", "'*********'"))
})
