import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { LocatedProblem, Problem } from '../../src/errors.ts'
import { makeFolder } from '../../src/fixtures/make-folder.ts'
import type { SourceFile } from '../../src/source.ts'
import { createSuiteError } from '../../src/suite/locate-problems.ts'
import { redactError } from './redact-error.ts'

type Mistake = {
  /** Where the mistake is, in `elsewhere` if that is given. */
  at: string
  message?: string
  elsewhere?: SourceFile
}

/** A mistake in a suite file, as it is shown. */
function show(text: string, { at, message = 'No.', elsewhere }: Mistake): LocatedProblem {
  const path = join(makeFolder({ 'a.suite.yaml': text }), 'a.suite.yaml')
  const start = (elsewhere?.text ?? text).indexOf(at)
  const range = [start, start + at.length] as const
  const problem: Problem = {
    code: 'bad-value',
    severity: 'error',
    message,
    range: elsewhere ? [0, 1, { source: elsewhere, range }] : range,
  }
  const error = createSuiteError({ path: 'a.suite.yaml', text }, [problem])
  return redactError(error, { redact: [], env: {}, path }).problems[0] as LocatedProblem
}

const line = 'body: { pin: abcd-12345, note: 1 }'

test.each([
  ['in one line', 'redact: [other, pin] # mine'],
  ['quoted', `redact: ['pin', "other"]`],
  ['one below the other', 'suite_name: A\nredact:\n  - other\n  - pin # mine\nsteps: []'],
])('what a suite names in its own `redact` list stays out of its errors: %s', (_, head) => {
  expect(show(`${head}\n${line}\nnote: abcd-12345\n`, { at: 'note' }).frame).not.toContain('12345')
})

test('other names are shown', () => {
  expect(show(`redact: [other]\n${line}\n`, { at: 'note' }).frame).toContain('abcd-12345')
})

test('the caret stays below what it points at, and a password in an address is hidden', () => {
  expect(show("suite_name: A\nbase_url: 'http://me:hunter2@h/' # no\n", { at: '# no' }).frame).toBe(
    "  1 | suite_name: A\n> 2 | base_url: 'http://me:*******@h/' # no\n    |                                  ^^^^",
  )
})

test('what checks of a secret field say of its size and type is shown, and the path that gives it; values are not', () => {
  const text = [
    'token: { minLength: -3, type: strin, equals: abcd-12345 }',
    'password:',
    '  maxLength: 4',
    '  equals: efgh-67890',
    "capture: { secret: split(body.url, '/')[1], other_token: body.items[?id == `1`].token }",
  ].join('\n')
  const shown = show(text, { at: 'maxLength', message: 'got `strin` (string)' })
  const lines = shown.frame.split('\n').filter((each) => !each.includes('^'))
  expect(lines.map((each) => each.slice(6)).join('\n')).toBe(
    text.replace(/abcd-12345|efgh-67890/g, '**********'),
  )
  expect(shown.message).toBe('got `strin` (string)')
})

test.each([
  ["'", "'"],
  ['"', '"'],
  ['[', ']'],
])('a secret whose line is cut in a frame hides nothing of the next line: %s', (open, close) => {
  const secret = 'abcd-'.repeat(40)
  const text = `auth: { api_key: { in: header, value: ${open}${secret}${close} } }\ndelay_ms: 'y'\n`
  const { frame } = show(text, { at: "'y'" })
  expect(frame).not.toContain('abcd')
  expect(frame).toContain("> 2 | delay_ms: 'y'")
})

test.each([
  ['in its file', { path: 'shared.yaml', text: 'variables: { password: abcd-12345 }\n' }],
  ['in its option', { path: 'the option `defaults`', text: '{\n  "password": "abcd-12345"\n}' }],
])('a secret that another place has is hidden in the message: %s', (_, elsewhere) => {
  const shown = show('suite_name: A\n', { at: 'abcd', message: 'got `abcd-12345`', elsewhere })
  expect(shown.message).toBe('got `[redacted]`')
  expect(shown.frame).not.toContain('12345')
})

test('a variable of another file that has no value is no secret', () => {
  const elsewhere = { path: 'shared.yaml', text: "secrets:\n  password: '{{$env.NOPE}}'\n" }
  expect(show('suite_name: A\n', { at: '$env', elsewhere }).frame).toContain("password: '{{$env.NOPE}}'")
})
