import { expect, test } from 'vitest'
import { showReads } from './suggest-reference.ts'

const names = {
  locals: { status_code: 200, body: { a: '1', list: [{ id: 7 }], none: null, 'x-y': true } },
  layers: [{ limit: 5, status_code: 'a variable' }],
  exports: { auth: { token: 't-1' } },
  env: { HOME: '/home' },
}

test.each([
  ['body.a === limit', '`body.a` is `"1"`, `limit` is `5`'],
  ['body.list[0].id > 7 || body.list.length > 2', '`body.list[0].id` is `7`, `body.list.length` is `1`'],
  ["body['x-y'] === body.none", '`body.x-y` is `true`, `body.none` is `null`'],
  ['body.b === 1', '`body.b` is `undefined`'],
  ["body.a.startsWith('2')", '`body.a` is `"1"`'],
  ['body.list.every((item) => item.id > 9)', '`body.list` is `[{"id":7}]`'],
  ["body.hasOwnProperty('b')", '`body` is `{"a":"1","list":[{"id":7}],"none":null,"x-y":true}`'],
  [
    'variables.status_code === status_code',
    '`variables.status_code` is `"a variable"`, `status_code` is `200`',
  ],
  ['auth.token === auth.token + 1', '`auth.token` is `"t-1"`'],
  ['Math.max(limit, 6) < 6', '`limit` is `5`'],
  ['$env.HOME === 1', undefined],
  ['1 > 2', undefined],
])('%s: %s', (condition, shown) => {
  expect(showReads(condition, names)).toBe(shown)
})

test('at most five values are shown', () => {
  const layer = Object.fromEntries('abcdefg'.split('').map((name) => [name, 0]))
  expect(showReads('a + b + c + d + e + f + g > 1', { layers: [layer], exports: {} })).toBe(
    '`a` is `0`, `b` is `0`, `c` is `0`, `d` is `0`, `e` is `0`',
  )
})
