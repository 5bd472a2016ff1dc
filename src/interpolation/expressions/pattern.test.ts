import { describe, expect, test } from 'vitest'
import { EngineError } from '../errors.ts'
import { createPatternTest, estimatePatternDegree } from './pattern.ts'

const matches = createPatternTest(20_000)
const impatient = createPatternTest(100)

test.each([
  ['^a+$', '', 'aaa', true],
  ['b', '', 'abc', true],
  ['^b', '', 'abc', false],
  ['B', 'i', 'abc', true],
  ['(\\d+)-\\1', '', '12-12', true],
  ['(?<=a)b(?!c)', '', 'abd', true],
  ['^.$', 'u', '💥', true],
  ['', '', '', true],
] as const)('/%s/%s on %s: %s', (...[source, flags, subject, matched]) => {
  expect(matches({ source, flags }, subject)).toBe(matched)
})

test('a global pattern has no memory of the match before', () => {
  for (let i = 0; i < 3; i += 1) expect(matches({ source: 'a', flags: 'g' }, 'a')).toBe(true)
  for (let i = 0; i < 3; i += 1) expect(matches({ source: 'a', flags: 'y' }, 'a')).toBe(true)
})

test.each([
  ['^(a+)+$', 'a'.repeat(40) + 'b'],
  ['(a|a)*b', 'a'.repeat(40)],
  ['(?:(?:a*)*)*b', 'a'.repeat(40)],
  ['^(?=(a+)+$)', 'a'.repeat(40) + 'b'],
  ['(a*)*\\1b', 'a'.repeat(40)],
  ['a*a*a*a*a*a*a*a*a*b', 'a'.repeat(400)],
  [`${'(a|aa)'.repeat(60)}b`, 'a'.repeat(90)],
])('/%s/ ends at the limit', (source, subject) => {
  let error: unknown
  try {
    impatient({ source }, subject)
  } catch (thrown) {
    error = thrown
  }
  expect(error).toBeInstanceOf(EngineError)
  expect((error as EngineError).code).toBe('timeout')
  expect((error as EngineError).message).toContain('ran longer than 100 ms (option `limits.expression`)')
  expect(impatient({ source: 'a' }, 'a')).toBe(true)
})

test.each([
  ['(', ''],
  ['[', ''],
  ['a', 'zz'],
  ['(?<n>a)(?<n>b)', 'u'],
])('/%s/%s is refused', (source, flags) => {
  expect(() => matches({ source, flags }, 'a')).toThrow(
    expect.objectContaining({
      code: 'syntax',
      message: expect.stringMatching(/^Expected a regular expression, got `/),
    }),
  )
})

describe('the bound on a match', () => {
  test.each([
    ['abc', 1],
    ['^[a-z]+$', 2],
    ['^[0-9a-f]{8}-[0-9a-f]{4}$', 1],
    ['^\\S+@\\S+\\.\\w{2,}$', 4],
    ['a|b', 2],
    ['(?:a|b)c', 2],
    ['a+?', 2],
    ['[*+?(){}|]\\*\\+', 1],
    ['\\\\+', 2],
    ['[ab]\\d', 1],
  ])('/%s/ is of degree %d', (source, degree) => {
    expect(estimatePatternDegree(source)).toBe(degree)
  })

  test.each(['(a)+', '(?:a)*', '(a){2}', '(?=a)', '(?<!a)', '(a)\\1', '(?<n>a)\\k<n>', '\\1', '(?i:a)'])(
    '/%s/ has none',
    (source) => {
      expect(estimatePatternDegree(source)).toBeUndefined()
    },
  )

  test('classes that nest have none', () => {
    expect(estimatePatternDegree('[[ab]--[b]]', 'v')).toBeUndefined()
  })
})
