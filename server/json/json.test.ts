import { describe, expect, test } from 'vitest'
import { compareCodePoints } from './code-points.ts'
import { printJson } from './print-json.ts'
import { JsonTooLarge, reprintJson } from './reprint-json.ts'

const reprint = (text: string): string | undefined => reprintJson(text, 0, 1e6)

describe('printJson', () => {
  test('indents by two, sorts keys by code point and writes ASCII only', () => {
    const value = new Map<string, string | number[]>([
      ['é', '\u007f\u2028😀/<>&'],
      ['10', []],
      ['__proto__', [1, 2]],
      ['2', '"\\\n'],
    ])
    expect(printJson(value)).toBe(String.raw`{
  "10": [],
  "2": "\"\\\n",
  "__proto__": [
    1,
    2
  ],
  "\u00e9": "\u007f\u2028\ud83d\ude00/<>&"
}`)
  })
})

describe('reprintJson', () => {
  test.for([
    ['1.0'],
    ['-0'],
    ['1e5'],
    ['1E+400'],
    ['123456789012345678901234567890'],
    ['0.1000'],
    ['true'],
    ['null'],
    ['"a\\/b"', '"a/b"'],
    ['"\\u00E9\\ud800"', String.raw`"\u00e9\ud800"`],
    ['"é\u007f😀"', String.raw`"\u00e9\u007f\ud83d\ude00"`],
    [' {\t"b" : [ ] ,\r\n"a":{ } } ', '{\n  "a": {},\n  "b": []\n}'],
    ['{"a":1,"b":2,"a":3}', '{\n  "a": 3,\n  "b": 2\n}'],
    ['{"\\u0061":1,"a":2}', '{\n  "a": 2\n}'],
    ['{"__proto__":1,"constructor":2,"":0}', '{\n  "": 0,\n  "__proto__": 1,\n  "constructor": 2\n}'],
    ['{"10":1,"9":2,"1":3}', '{\n  "1": 3,\n  "10": 1,\n  "9": 2\n}'],
    ['{"😀":1,"\uffee":2,"z":3}', '{\n  "z": 3,\n  "\\uffee": 2,\n  "\\ud83d\\ude00": 1\n}'],
  ])('%s', ([text = '', printed = text]) => {
    expect(reprint(text)).toBe(printed)
  })

  test.for([
    '',
    ' ',
    '01',
    '1.',
    '.5',
    '+1',
    '-',
    '1e',
    'NaN',
    'Infinity',
    '-Infinity',
    'undefined',
    'tru',
    'truee',
    "'a'",
    '"a',
    '"\n"',
    '"\\x"',
    '"\\u12g4"',
    '[1,]',
    '[,1]',
    '[1 2]',
    '[',
    ']',
    '{',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{a:1}',
    '{1:1}',
    '{}{}',
    '1 2',
    '\ufeff1',
    '\u00a01',
    '//',
    '[1]x',
  ])('%j is no JSON', (text) => {
    expect(reprint(text)).toBeUndefined()
  })

  test('agrees with JSON.parse and printJson on generated documents', () => {
    let state = 42
    const random = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below
    const word = (): string =>
      Array.from({ length: random(4) }, () => 'ab!" \\é\u007f😀\n{'.at(random(10)) ?? '').join('')
    const make = (depth: number): unknown => {
      const kind = random(depth > 4 ? 4 : 6)
      if (kind === 4) return Array.from({ length: random(5) }, () => make(depth + 1))
      if (kind === 5)
        return Object.fromEntries(
          Array.from({ length: random(60) }, () => [word(), random(9) > 7 ? make(depth + 1) : 0]),
        )
      return [random(100), word(), random(2) === 0, null][kind]
    }
    for (let round = 0; round < 500; round++) {
      const text = JSON.stringify(make(0), undefined, random(3))
      expect(reprint(text)).toBe(printJson(JSON.parse(text)))
      const broken = text.slice(0, random(text.length))
      expect(reprint(broken) === undefined).toBe(!isJson(broken))
    }
  })

  test('refuses what would be printed too long', () => {
    expect(() => reprintJson(`[${'[],'.repeat(100)}1]`, 0, 500)).toThrow(JsonTooLarge)
    expect(() => reprintJson(`{${'"a":1,'.repeat(100)}"b":2}`, 0, 500)).toThrow(JsonTooLarge)
  })

  test('takes what is nested deeper than 1000 levels for invalid', () => {
    expect(reprint('['.repeat(1000) + ']'.repeat(1000))).toContain('[]')
    expect(reprint('['.repeat(1001) + ']'.repeat(1001))).toBeUndefined()
    expect(reprint('{"a":'.repeat(100_000))).toBeUndefined()
  })
})

test('compareCodePoints orders characters beyond the basic plane last', () => {
  const sorted = ['', 'a', 'aa', 'b', '\ud7ff', '\ud800', '\ue000', '\uffff', '😀', '😀a', '😁']
  expect(sorted.toReversed().toSorted(compareCodePoints)).toEqual(sorted)
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
