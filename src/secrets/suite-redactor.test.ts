import { expect, test } from 'vitest'
import { createSecretSearch } from './secret-search.ts'
import { keepLines } from './star-out.ts'
import { createFileRedactor, createSuiteRedactor, type RedactOption } from './suite-redactor.ts'

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

test('the option adds names, and `false` hides nothing', () => {
  const answer = { pin: 'pin-4711', password: 'correct horse' }
  const hide = (redact: RedactOption): unknown =>
    createSuiteRedactor({ redact: ['pin'] }, redact).redactJson(answer)
  expect(hide(undefined)).toEqual({ pin: '[redacted]', password: '[redacted]' })
  expect(hide([/^pass/])).toEqual({ pin: '[redacted]', password: '[redacted]' })
  expect(createSuiteRedactor({ redact: [] }, ['pin']).redactJson(answer).pin).toBe('[redacted]')
  expect(createSuiteRedactor({ redact: [] }, []).redactJson(answer).pin).toBe('pin-4711')
  expect(hide(false)).toBe(answer)
})

test.each([
  'redact: [pin, "x_code"] # mine',
  'redact:\n  - pin # mine\n  - "x_code"\nname: x',
  'redact:\r\n  - pin # mine\r\n  - "x_code"\r\nname: x',
])('a file that cannot be read says what is secret in it: %j', (redact) => {
  const text = `${redact}\nvariables: {pin: 4711-a, x_code: 4711-b, door: 4711-c\nname: 4711-a 4711-b 4711-c`
  expect(createFileRedactor(text, { redact: ['door'], env: {} }).redactSource(text)).toBe(
    `${redact}\nvariables: {pin: [redacted], x_code: [redacted], door: [redacted]\nname: [redacted] [redacted] [redacted]`,
  )
})

test('what hides a secret of several lines in a file moves no line', () => {
  const text = 'variables:\n  password: |\n    hunter2\n    swordfish\nsteps:\n  - name: One\n'
  const { redactSource } = createFileRedactor(text, { redact: undefined, env: {} })
  const shown = 'variables:\n  password: [redacted]\n\n\nsteps:\n  - name: One\n'
  expect(keepLines(text, redactSource(text))).toBe(shown)
})

test.each(['path: bdy.token', 'xpath: //a[', 'css: a['])(
  'where a secret is captured from is shown: { %s }',
  (where) => {
    const text = `capture: { token: { ${where} } }`
    const redactor = createFileRedactor(text, { env: {} })
    expect(redactor.redactSource(text)).toBe(text)
    expect(redactor.redactText(where)).toBe(where)
  },
)

test('the environment variables that a file reads are hidden in it, except ordinary settings; `false` hides nothing', () => {
  const text =
    "variables: { a: '{{$env.DOOR}}', b: '{{$env.STAGE || $env.GATE}}' }\nname: d00r-x staging g4te-x 0ther-x"
  const env = { DOOR: 'd00r-x', STAGE: 'staging', GATE: 'g4te-x', OTHER: '0ther-x' }
  const show = (redact: RedactOption): string => createFileRedactor(text, { redact, env }).redactText(text)
  expect(show(undefined)).toMatch(/name: \[redacted\] staging \[redacted\] 0ther-x$/)
  expect(show(false)).toBe(text)
})

test.each([
  `{{js: $env['DOOR']}}`,
  `'{{js: $env[''DOOR'']}}'`,
  String.raw`"{{js: $env[\"DOOR\"]}}"`,
  '{{js: $env?.DOOR}}',
])('an environment variable that a file reads as %s is hidden in it', (read) => {
  const text = `variables: { a: ${read} }\nname: d00r-x`
  const { redactText } = createFileRedactor(text, { env: { DOOR: 'd00r-x' } })
  expect(redactText(text)).toMatch(/name: \[redacted\]$/)
})

test.each(['constructor', '__proto__', 'toString'])('$env.%s is a variable that is not set', (name) => {
  const text = `variables: { a: '{{$env.${name}}}' }`
  expect(createFileRedactor(text, { env: {} }).redactText(text)).toBe(text)
})
