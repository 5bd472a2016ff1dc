import { expect, test } from 'vitest'
import { lowerHeaderNames } from './judge-condition.ts'

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
  expect(lowerHeaderNames(source)).toBe(lowered)
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
  expect(lowerHeaderNames(source)).toBe(source)
})
