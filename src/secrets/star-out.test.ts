import { expect, test } from 'vitest'
import { starOut } from './star-out.ts'

test.each([
  ['a: b', 'a: b', 'a: b'],
  ['password: hunter2 # mine', 'password: [redacted] # mine', 'password: ******* # mine'],
  ['{ a: hunter2, b: xy }', '{ a: [redacted], b: [redacted] }', '{ a: *******, b: ** }'],
  ['hunter2', '[redacted]', '*******'],
])('a line %j keeps its length: %j', (line, redacted, shown) => {
  expect(starOut(line, redacted)).toBe(shown)
  expect(shown.length).toBe(line.length)
})
