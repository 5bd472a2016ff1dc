import { expect, test } from 'vitest'
import { findElsewhere } from './names-elsewhere.ts'

test.each([
  ['$guid', 'crypto.randomUUID()'],
  ['uuid', 'crypto.randomUUID()'],
  ['newUuid', 'crypto.randomUUID()'],
  ['$isoTimestamp', 'toISOString()'],
  ['random_int', 'crypto.randomInt(0, 1001)'],
  ['$timestamp', 'Math.floor(Date.now() / 1000)'],
  ['$randomFullName', '`@faker-js/faker`'],
  ['base_url', '`base_url`'],
  ['$randomEmail', '$faker.internet.email'],
  ['faker', '$faker.internet.email'],
  ['process', '$env.NAME'],
  ['$API_URL', '$env.NAME'],
  ['require', '`extend`'],
  ['res', '`status_code`'],
  ['steps', '`{{id}}`'],
  ['pm', '`body.id === 1`'],
  ['length', '`body.items.length`'],
])('the name %s of another tool is written here as %s', (name, written) => {
  expect(findElsewhere(name)).toContain(written)
})

test.each(['token', 'user', 'renew', 'datetimes', 'environment'])('%s is nobody’s', (name) => {
  expect(findElsewhere(name)).toBeUndefined()
})
