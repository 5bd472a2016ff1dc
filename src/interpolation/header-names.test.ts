import { expect, test } from 'vitest'
import { lowerHeaderKey, lowerHeaderNames } from './header-names.ts'

const locals = { headers: {}, request: { headers: {} } }

test.each([
  ["headers['Content-Type'] === 'A'", "headers['content-type'] === 'A'"],
  ["headers ['X-Id'] && headers.Accept", "headers ['x-id'] && headers.accept"],
  ["headers?.['X-Id'] ?? headers?.Accept", "headers?.['x-id'] ?? headers?.accept"],
  [
    'request.headers.Accept === request?.headers?.["X-Id"]',
    'request.headers.accept === request?.headers?.["x-id"]',
  ],
  ["list.some((item) => headers['X-Id'] === item.ID)", "list.some((item) => headers['x-id'] === item.ID)"],
  ['body.id === `a-${headers["X-Id"]}-${headers.Y}`', 'body.id === `a-${headers["x-id"]}-${headers.y}`'],
])('%s asks for names in lower case', (source, lowered) => {
  expect(lowerHeaderNames(source, locals)).toBe(lowered)
})

test.each([
  'body.text === "use headers.Accept"',
  "body.text === 'headers[\\'X-Id\\']'",
  '`headers.Accept ${headers.accept}` === body.X',
  '`\\${headers.Accept} ${"headers.Accept"}`',
  "body.text === '${headers.Accept}'",
  "body.headers['X-Kind'] === 'Test'",
  'other.request.headers.Accept',
  'headers[Name]',
  'HEADERS.Accept',
])('%s stays as it is', (source) => {
  expect(lowerHeaderNames(source, locals)).toBe(source)
})

test('the headers of a variable stay as they are', () => {
  const source = 'headers.Accept + request.headers.Accept'
  expect(lowerHeaderNames(source, undefined)).toBe(source)
  expect(lowerHeaderNames(source, { request: {} })).toBe('headers.Accept + request.headers.accept')
  expect(lowerHeaderKey('headers', ['Accept'], { request: {} })).toEqual(['Accept'])
})

test('a reference asks for a name in lower case', () => {
  expect(lowerHeaderKey('headers', ['X-Id', 0], locals)).toEqual(['x-id', 0])
  expect(lowerHeaderKey('request', ['headers', 'Accept'], locals)).toEqual(['headers', 'accept'])
  expect(lowerHeaderKey('request', ['body', 'Accept'], locals)).toEqual(['body', 'Accept'])
  expect(lowerHeaderKey('headers', ['Accept'])).toEqual(['Accept'])
})
