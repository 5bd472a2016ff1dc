import { expect, test } from 'vitest'
import { createRedactor } from '../../../src/secrets/redactor.ts'
import { searchFor } from '../../../src/secrets/secret-search.ts'
import { hideInError } from './hide-secrets.ts'

const unreadable = (): never => {
  throw new Error('inner')
}

test.each([
  ['frozen', Object.freeze(new Error('a s3cret-1 b'))],
  ['with a member that throws', Object.defineProperty(new Error('a s3cret-1 b'), 'of', { get: unreadable })],
])('an error that is %s is replaced by one with its message', (_, error) => {
  const hidden = hideInError(error, createRedactor({ search: searchFor(['s3cret-1']) })) as Error
  expect(hidden).not.toBe(error)
  expect(hidden.message).toBe('a [redacted] b')
})

test('a fixed member that holds no secret stays, with the error', () => {
  const error = Object.defineProperty(new Error('s3cret-1'), 'name', { value: 'Own' })
  expect(hideInError(error, createRedactor({ search: searchFor(['s3cret-1']) }))).toBe(error)
  expect(error).toMatchObject({ name: 'Own', message: '[redacted]' })
})

test('an error without a stack, or with something else in its place, stays itself', () => {
  for (const stack of [undefined, 5]) {
    const error = Object.assign(new Error('s3cret-1'), { stack })
    expect(hideInError(error, createRedactor({ search: searchFor(['s3cret-1']) }))).toBe(error)
    expect(error).toMatchObject({ message: '[redacted]', stack })
  }
})
