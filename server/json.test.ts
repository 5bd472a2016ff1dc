import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HttpProblem } from './http-problem.ts'
import { parseJsonBody, printJson } from './json.ts'

const reprint = (text: string): string | undefined => {
  const value = parseJsonBody(text)
  return value === undefined ? undefined : printJson(value)
}

describe('printJson', () => {
  test('takes what JSON.stringify takes', () => {
    const value = {
      at: new Date(0),
      none: undefined,
      list: [undefined, Number.NaN],
      error: { toJSON: () => 'x' },
    }
    expect(JSON.parse(printJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
  })

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

describe('parseJson, printed,', () => {
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
    ['{"toJSON":1}', '{\n  "toJSON": 1\n}'],
    ['{"rawJSON":"1"}', '{\n  "rawJSON": "1"\n}'],
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
  ])('%j is not JSON', (text) => {
    expect(reprint(text)).toBeUndefined()
  })

  test('agrees with JSON.parse on generated documents, and on what is left when their end is cut off', () => {
    const document = fc.json({ maxDepth: 6, stringUnit: 'binary' })
    const separators = fc.constantFrom(undefined, 1, '\t')
    fc.assert(
      fc.property(document, separators, fc.nat(), (json, indent, cut) => {
        const text = JSON.stringify(JSON.parse(json), undefined, indent)
        const printed = reprint(text) ?? ''
        expect(JSON.parse(printed)).toEqual(JSON.parse(text))
        expect(printed).toMatch(/^[\n -~]*$/)
        expect(reprint(printed)).toBe(printed)
        const broken = text.slice(0, cut % text.length)
        expect(reprint(broken) === undefined).toBe(!isJson(broken))
      }),
    )
  })

  test('keeps the text of every number', () => {
    const digits = fc.stringMatching(/^-?(?:0|[1-9][0-9]{0,20})(?:\.[0-9]{1,20})?(?:[eE][+-]?[0-9]{1,4})?$/)
    const space = fc.constantFrom('', ' ', '\n')
    fc.assert(
      fc.property(digits, space, (number, blank) => {
        expect(reprint(`${blank}${number}${blank}`)).toBe(number)
        expect(reprint(`[${blank}${number}${blank},1]`)).toBe(`[\n  ${number},\n  1\n]`)
        expect(reprint(`{"a":${number}${blank}}`)).toBe(`{\n  "a": ${number}\n}`)
      }),
    )
  })

  test('refuses too many values', () => {
    expect(() => parseJsonBody(`[${'1.0,'.repeat(100_001)}1]`)).toThrow(HttpProblem)
    expect(parseJsonBody('1,'.repeat(100_001))).toBeUndefined()
    expect(parseJsonBody(JSON.stringify(','.repeat(100_001)))).toBeTypeOf('string')
  })

  test('takes what is nested deeper than 1000 levels for invalid', () => {
    expect(reprint('['.repeat(1000) + ']'.repeat(1000))).toContain('[]')
    expect(reprint('['.repeat(1001) + ']'.repeat(1001))).toBeUndefined()
    expect(reprint('{"a":'.repeat(100_000))).toBeUndefined()
    for (const each of ['[]', '{}'])
      expect(JSON.parse(reprint(`[${`${each},`.repeat(2000)}1]`) ?? '')).toHaveLength(2001)
  })
})

test('keys beyond the basic plane come last', () => {
  const sorted = ['', 'a', 'aa', 'b', '\ud7ff', '\ue000', '\uffff', '😀', '😀a', '😁']
  const printed = printJson(new Map(sorted.toReversed().map((key) => [key, 1])))
  expect(Array.from(printed.matchAll(/^ {2}(".*"): 1/gm), ([, key = '']) => JSON.parse(key))).toEqual(sorted)
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
