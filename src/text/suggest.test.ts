import { expect, test } from 'vitest'
import { findTypo, suggestName } from './suggest.ts'

test.each([
  ['statuss', 'status'],
  ['stauts', 'status'],
  ['nmae', 'name'],
  ['sttus', 'status'],
  ['totl', 'total'],
  ['ID', 'id'],
  ['Name', 'name'],
  ['id', '\ufeffid'],
  ['caf\u00e9', 'cafe\u0301'],
  ['userid', 'userId'],
  ['password_hash', 'passwordHash'],
])('%s misspells %s', (name, known) => {
  expect(findTypo(name, ['other', known])).toBe(known)
})

test.each([
  ['errors', 'error'],
  ['user', 'users'],
  ['id', 'ip'],
  ['_id', 'id'],
  ['next', 'text'],
  ['address_line_2', 'address_line_1'],
  ['10002', '10001'],
  ['status', 'status'],
  ['constructor', 'status'],
])('%s is a name beside %s', (name, known) => {
  expect(findTypo(name, [known])).toBeUndefined()
})

test('a name that is another one does not hide one that is misspelt', () => {
  expect(findTypo('address2', ['address1', 'adress2'])).toBe('adress2')
  expect(findTypo('order', ['orders', 'oder'])).toBe('oder')
})

test.each([
  ['hedaers', ['headers', 'header'], 'headers'],
  ['bdy', ['boy', 'body'], 'boy'],
  ['bdy', ['body', 'boy'], 'body'],
  ['content_type', ['accept', 'Content-Type'], 'Content-Type'],
  ['toString', ['status'], undefined],
  ['x'.repeat(61), ['x'.repeat(60)], undefined],
])('the name nearest to %s is the first of those that are equally near: %j', (name, known, nearest) => {
  expect(suggestName(name, known)).toBe(nearest)
})
