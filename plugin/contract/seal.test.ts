import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { seal, unseal } from './seal.ts'

const key = randomBytes(32).toString('base64url')

test.each(['', 'hunter2', 'ü€💥', 'x'.repeat(10_000)])(
  'what is sealed can be read with its key: %s',
  (text) => {
    const sealed = seal(text, key)
    expect(sealed).toMatch(/^[\w-]+$/)
    expect(unseal(sealed, key)).toBe(text)
    expect(seal(text, key)).not.toBe(sealed)
  },
)

test('neither another key nor changed text can be read', () => {
  const sealed = seal('hunter2', key)
  expect(() => unseal(sealed, randomBytes(32).toString('base64url'))).toThrow('unable to authenticate')
  const bytes = Buffer.from(sealed, 'base64url')
  bytes.writeUInt8(bytes.readUInt8(12) ^ 1, 12)
  expect(() => unseal(bytes.toString('base64url'), key)).toThrow('unable to authenticate')
})
