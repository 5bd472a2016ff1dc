import { expect, test } from 'vitest'
import { parseJson, stringifyJson, type Json } from './json.ts'

const text =
  '{"id":9007199254740993,"list":[-12345678901234567890,1],"half":0.1234567890123456,"far":1e30,"text":"9007199254740993"}'
const value: Json = {
  id: 9007199254740993n,
  list: [-12345678901234567890n, 1],
  half: 0.1234567890123456,
  far: 1e30,
  text: '9007199254740993',
}

test('integers that a double cannot hold are read and written digit for digit', () => {
  expect(parseJson(text)).toEqual(value)
  expect(stringifyJson(value)).toBe(text.replace('1e30', '1e+30'))
  expect(parseJson(stringifyJson(value, 2))).toEqual(value)
  expect(parseJson('[9007199254740991, 9007199254740992]')).toEqual([9007199254740991, 9007199254740992n])
})

test('what is not JSON throws as ever', () => {
  expect(() => parseJson('{"a": 12345678901234567890,}')).toThrow(SyntaxError)
  const cycle: Record<string, unknown> = {}
  cycle['self'] = cycle
  expect(() => stringifyJson(cycle)).toThrow(TypeError)
})
