import { expect, test } from 'vitest'
import { findTypo } from './suggest.ts'

test.each([
  ['statuss', 'status'],
  ['stauts', 'status'],
  ['nmae', 'name'],
  ['sttus', 'status'],
  ['totl', 'total'],
  ['userid', 'userId'],
  ['password_hash', 'passwordHash'],
])('%s misspells %s', (name, known) => {
  expect(findTypo(name, ['other', known])).toBe(known)
})

test.each([
  ['errors', 'error'],
  ['user', 'users'],
  ['id', 'ip'],
  ['next', 'text'],
  ['address_line_2', 'address_line_1'],
  ['10002', '10001'],
  ['status', 'status'],
  ['constructor', 'status'],
])('%s is a name beside %s', (name, known) => {
  expect(findTypo(name, [known])).toBeUndefined()
})
