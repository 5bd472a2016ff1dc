import { expect, test } from 'vitest'
import { findElsewhere } from './names-elsewhere.ts'
import { parseTemplate } from './template.ts'

test.each([
  ['$guid', 'crypto.randomUUID()'],
  ['uuid', 'crypto.randomUUID()'],
  ['newUuid', 'crypto.randomUUID()'],
  ['$isoTimestamp', 'toISOString()'],
  ['newDate', 'toISOString()'],
  ['random_int', 'crypto.randomInt(1, 11)'],
  ['$randomEmail', '$faker.internet.email'],
  ['faker', '$faker.internet.email'],
  ['process', '$env.NAME'],
  ['$API_URL', '$env.NAME'],
  ['upper', 'toUpperCase()'],
  ['require', '`extend`'],
  ['res', '`status_code`'],
  ['pm', '`{{id}}`'],
  ['no', '`false`'],
  ['length', '`body.items.length`'],
])('the name %s of another tool is written here as %s', (name, written) => {
  expect(findElsewhere(name)).toContain(written)
})

test.each(['token', 'user', 'renew', 'datetimes', 'environment'])('%s is nobody’s', (name) => {
  expect(findElsewhere(name)).toBeUndefined()
})

test('what is before arguments that are not JavaScript is known, too', () => {
  expect(() => parseTemplate('/a?n={{$randomInt 1 10}}')).toThrow(
    expect.objectContaining({ hint: expect.stringContaining('crypto.randomInt') }),
  )
})
