import { expect, test } from 'vitest'
import { embedInUrl } from './build-url.ts'

test.for([
  ['a value cannot add a parameter', 'x&admin=true', '/get?name=', 'x%26admin=true'],
  ['a plus stays a plus', 'a+b', '/get?name=', 'a%2Bb'],
  ['a value cannot start a fragment', 'a#b', '/get?name=', 'a%23b'],
  ['a percent sign is one', '%2B or 100%', '/get?n=', '%252B%20or%20100%25'],
  ['a percent sign in a path is one', '%2F', '/users/', '%252F'],
  ['an at-sign and a colon are fine', 'user@example.com:1', '/get?n=', 'user@example.com:1'],
  ['a value cannot start a query from the path', 'a?admin=1', '/users/', 'a%3Fadmin=1'],
  ['nor from a path without a slash before it', 'a?admin=1#b', 'users/', 'a%3Fadmin=1%23b'],
  ['nor from the middle of its first segment', 'a?admin=1', 'user-', 'a%3Fadmin=1'],
  ['nor behind a base without a value', 'a?admin=1', '{{api}}/users/', 'a%3Fadmin=1'],
  ['a value cannot add a parameter of a segment', 'a;admin=1', '/users/', 'a%3Badmin=1'],
  ['nor one where `;` separates parameters', 'a;admin=1', '/get?n=', 'a%3Badmin=1'],
  ['slashes may be part of a path', 'a/b', 'http://host/users/', 'a/b'],
  ['at the start it is an address', 'http://host/a?b=c', '', 'http://host/a?b=c'],
  ['as a host too', 'example.com', 'https://', 'example.com'],
  ['and as a scheme, or a part of a host', 's://host:80?a=b', 'http', 's://host:80?a=b'],
  ['a value right behind the host may be a path with a query', '/a?b=c', 'http://host:80', '/a?b=c'],
  ['characters beyond ASCII are encoded as UTF-8', 'ü😀', '/get?n=', '%C3%BC%F0%9F%98%80'],
  ['a lone half of a pair is replaced', 'a\ud800b', '/get?n=', 'a%EF%BF%BDb'],
])('%s', ([, value, before, expected]) => {
  expect(embedInUrl(value as string, before as string)).toBe(expected)
})
