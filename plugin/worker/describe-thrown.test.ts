import { expect, test } from 'vitest'
import { describeThrown } from './describe-thrown.ts'

test.each([
  ['at read (/app/a.ts:1:2)', '/app/a.ts:1:2'],
  ['at /app/(group)/a.ts:1:2', '/app/(group)/a.ts:1:2'],
  ['at async read (file:///app/a.ts:1:2)', '/app/a.ts:1:2'],
  ['at read (C:\\app\\a.ts:1:2)', 'C:/app/a.ts:1:2'],
  ['at read (file:///C:/app/a.ts:1:2)', 'C:/app/a.ts:1:2'],
])('a place is found in every kind of frame: %s', (frame, place) => {
  const error = Object.assign(new Error('broken'), { stack: `Error: broken\n    ${frame}` })
  const shownFrom = place.startsWith('/') ? '/' : process.cwd()
  expect(describeThrown(error, shownFrom)).toBe(`broken (${place.replace(/^\//, '')})`)
})

test.each([
  ['at new Promise (<anonymous>)\n    at node:internal/timers:1:2'],
  ['at read (/app/node_modules/lib/a.js:1:2)'],
  [''],
])('without a place of the author the message stands alone: %s', (frames) => {
  const error = Object.assign(new Error('broken'), { stack: `Error: broken\n    ${frames}` })
  expect(describeThrown(error, '/app')).toBe('broken')
})
