import { expect, test } from 'vitest'
import { createSecretSearch } from './secret-search.ts'
import { createSuiteRedactor, type RedactOption } from './suite-redactor.ts'

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
