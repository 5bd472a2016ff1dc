import { expect, test } from 'vitest'
import { keepLines, starOut } from './star-out.ts'

test.each([
  ['a: b', 'a: b', 'a: b'],
  ['password: hunter2 # mine', 'password: [redacted] # mine', 'password: ******* # mine'],
  ['{ a: hunter2, b: xy }', '{ a: [redacted], b: [redacted] }', '{ a: *******, b: ** }'],
  ['hunter2', '[redacted]', '*******'],
])('a line %j keeps its length: %j', (line, redacted, shown) => {
  expect(starOut(line, redacted)).toBe(shown)
  expect(shown.length).toBe(line.length)
})

test.each([
  ['a: 1\nb: 2\n', 'a: 1\nb: 2\n', 'a: 1\nb: 2\n'],
  ['password: |\n  one\n  two\nb: 2\n', 'password: [redacted]\nb: 2\n', 'password: [redacted]\n\n\nb: 2\n'],
  [
    'key: |\n  a\npassword:\n  b: c\n  d: e\n',
    'key: [redacted]\npassword:\n  [redacted]\n',
    'key: [redacted]\n\npassword:\n  [redacted]\n\n',
  ],
  ['key: [redacted]\n\nb: 2\n', 'key: [redacted]\n\nb: 2\n', 'key: [redacted]\n\nb: 2\n'],
])('the lines of %j keep their numbers', (text, redacted, shown) => {
  expect(keepLines(text, redacted)).toBe(shown)
})
