import { readFileSync } from 'node:fs'
import { TreeInterpreter } from '@jmespath-community/jmespath'
import { expect, test } from 'vitest'
import { compilePath } from './compile-path.ts'
import { functionNames, interpretPath, readArity } from './interpreter.ts'

// `interpreter.ts` reaches into these; checked with this release. Another one may change them without notice.
test('the library is the release whose insides were read', () => {
  const { version } = JSON.parse(
    readFileSync(
      new URL('../../node_modules/@jmespath-community/jmespath/package.json', import.meta.url),
      'utf8',
    ),
  ) as { version: string }
  expect(version).toBe('1.3.0')
  const runtime = TreeInterpreter.runtime as unknown as Record<string, unknown>
  expect(runtime['_functionTable']).toMatchObject({ sort_by: { _signature: [{}, {}] } })
  expect(runtime['getTypeName']).toBeTypeOf('function')
  expect(runtime['_interpreter']).toBe(TreeInterpreter)
  expect(TreeInterpreter.visit).toBeTypeOf('function')
  expect(TreeInterpreter.withScope).toBeTypeOf('function')
})

test('functions have their arity, and none comes from a prototype', () => {
  expect(readArity('sort_by')).toEqual({ least: 2, most: 2 })
  expect(readArity('merge')).toEqual({ least: 1, most: Infinity })
  expect(readArity('constructor')).toBeUndefined()
  expect(functionNames).toContain('pad_left')
})

test.for([
  ['a > b', true],
  ['a >= a', true],
  ['b < a', true],
  ['sort([a, b])[0] == b', true],
  ['max([a, b]) == a', true],
  ['a == 9007199254740993', true],
  ['a == 9007199254740992', false],
  ["type(a) == 'number'", true],
  ["to_string(a) == '9007199254740993'", true],
  ["a > 'x'", null],
] as const)('integers above 2⁵³ are numbers: %s', ([source, expected]) => {
  const path = compilePath(source)
  if ('message' in path) throw new Error(path.message)
  expect(interpretPath(path.node, { a: 9007199254740993n, b: 7 })).toBe(expected)
})
