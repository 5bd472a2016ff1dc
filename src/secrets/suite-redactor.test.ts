import { expect, test } from 'vitest'
import { createSecretSearch } from './secret-search.ts'
import { createSuiteRedactor } from './suite-redactor.ts'

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
