import { expect, test } from 'vitest'
import { refuseBase64 } from './refuse-base64.ts'

test.for(['', 'YQ==', 'YWI=', 'YWJj', '+/+/'])('%j is base64', (text) => {
  expect(refuseBase64(text)).toBeUndefined()
})

test.for([
  ['YQ', '`"YQ"` (string)'],
  ['Y===', '`"Y==="` (string)'],
  ['Y-_=', '`"Y-_="` (string)'],
  [1234, '`1234` (number)'],
])('%j is not', ([value, shown]) => {
  expect(refuseBase64(value as string | number)).toBe(
    `Expected the bytes of a message in base64, got ${shown}`,
  )
})
