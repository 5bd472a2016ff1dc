import { describe, expect, test } from 'vitest'
import { decodeResponse } from './decode-body.ts'
import type { HeaderLines, ReceivedResponse } from '../exchange.ts'

function receive(body: string | Uint8Array, contentType?: string, statusCode = 200): ReceivedResponse {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const headers: HeaderLines = contentType === undefined ? [] : [['Content-Type', contentType]]
  return {
    statusCode,
    statusText: '',
    httpVersion: '1.1',
    headers,
    body: bytes,
    transferBytes: bytes.byteLength,
  }
}

const json = 'application/json'

describe('what is JSON', () => {
  test.each([
    ['application/json', true],
    ['application/json; charset=utf-8', true],
    ['APPLICATION/JSON', true],
    ['text/json', true],
    ['application/problem+json', true],
    ['application/vnd.api+json;version=1', true],
    ['text/plain', false],
    ['text/html; charset=utf-8', false],
    ['application/jsonl', false],
    ['application/x-ndjson', false],
    ['text/plain; note=application/json', false],
  ])('%s: %s', (type, expected) => {
    const decoded = decodeResponse(receive('{"a":1}', type))
    expect(decoded.json).toEqual(expected ? { a: 1 } : undefined)
  })

  test('without a content type an object or array is, other text is not', () => {
    expect(decodeResponse(receive(' [1]')).json).toEqual([1])
    expect(decodeResponse(receive('1')).json).toBe(undefined)
    expect(decodeResponse(receive('{oops'))).toEqual({ text: '{oops', sizeBytes: 5 })
  })

  test('is not what is read as text', () => {
    expect(decodeResponse(receive('[1, 2]', json), 'text')).toEqual({
      text: '[1, 2]',
      sizeBytes: 6,
    })
  })
})

describe('size', () => {
  test('of JSON is that of its compact form in UTF-8', () => {
    expect(decodeResponse(receive('{\n  "name": "é",\n  "n": 1.0\n}', json)).sizeBytes).toBe(
      Buffer.byteLength('{"name":"é","n":1}'),
    )
  })

  test('of other bodies is the bytes received', () => {
    expect(decodeResponse(receive(Buffer.from([0xff, 0xfe, 0x41, 0]), 'text/plain')).sizeBytes).toBe(4)
    expect(decodeResponse(receive('{"a": ', json)).sizeBytes).toBe(6)
  })

  test.each([
    ['arrays', '[', ']'],
    ['objects', '{"é":', '}'],
  ])('of %s nested deeper than 500 levels is refused, its text is kept', (_, start, end) => {
    const nest = (levels: number): string => start.repeat(levels) + '1' + end.repeat(levels)
    expect(decodeResponse(receive(nest(500), json))).toMatchObject({ json: expect.anything() })
    for (const levels of [501, 200_000]) {
      const decoded = decodeResponse(receive(nest(levels), json))
      expect(decoded).not.toHaveProperty('json')
      expect(decoded.text).toBe(nest(levels))
      expect(decoded.jsonError).toBe(
        'The body is nested deeper than 500 levels; only its text can be checked',
      )
    }
  })
})

describe('names are data', () => {
  test('__proto__ and constructor stay own properties', () => {
    const { json: value } = decodeResponse(receive('{"__proto__":{"admin":true},"constructor":1}', json))
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor'])
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
  })
})

describe('charset', () => {
  test('declared one is honoured, quoted or not', () => {
    const bytes = Buffer.from('caf\u00e9', 'latin1')
    expect(decodeResponse(receive(bytes, 'text/plain; charset=iso-8859-1')).text).toBe('café')
    expect(decodeResponse(receive(bytes, 'text/plain; charset="ISO-8859-1"')).text).toBe('café')
    expect(
      decodeResponse(receive(Buffer.from('{"a":"é"}', 'utf16le'), `${json}; charset=utf-16le`)).json,
    ).toEqual({
      a: 'é',
    })
  })

  test.each<[start: string, charset: BufferEncoding, type?: string]>([
    ['<?xml version="1.0" encoding="ISO-8859-1"?><a>', 'latin1'],
    ["\n<?xml version='1.0' encoding = 'windows-1252' ?><a>", 'latin1'],
    ['<html><head><meta charset="windows-1252"><title>', 'latin1'],
    ['<meta http-equiv=content-type content="text/html; charset=iso-8859-1">', 'latin1'],
    ['\ufeff<?xml version="1.0" encoding="UTF-16"?><a>', 'utf16le'],
    ['\ufeff[', 'utf16le'],
    ['<?xml version="1.0" encoding="utf-16"?><a>', 'utf8'],
    ['\ufeff<?xml version="1.0" encoding="ISO-8859-1"?><a>', 'utf8'],
    ['<?xml version="1.0" encoding="ISO-8859-1"?><a>', 'utf8', 'text/xml; charset=utf-8'],
    ['encoding="iso-8859-1" <meta charset="iso-8859-1">', 'utf8'],
  ])('named in the body counts where the content type names none: %j in %s', (start, charset, type) => {
    const { text } = decodeResponse(receive(Buffer.from(`${start}é`, charset), type ?? 'text/xml'))
    expect(text).toBe(`${start.replace('\ufeff', '')}é`)
  })

  test.each(['text/plain', 'text/plain; charset=utf-16', 'text/plain; charset=iso-8859-1'])(
    'a byte order mark counts before the content type %s',
    (type) => {
      expect(decodeResponse(receive(Buffer.from([0xfe, 0xff, 0, 0xe9]), type)).text).toBe('é')
      expect(decodeResponse(receive('\ufeffé', type)).text).toBe('é')
    },
  )

  test('unknown one is read as UTF-8 with a warning', () => {
    const decoded = decodeResponse(receive('é', 'text/plain; charset=klingon'))
    expect(decoded.text).toBe('é')
    expect(decoded.warning).toBe(
      'The charset `klingon` of the response is unknown; its body was read as UTF-8',
    )
  })

  test('a byte order mark is dropped, and counts for more than the content type', () => {
    expect(decodeResponse(receive('\ufeff{"a":1}', json)).json).toEqual({ a: 1 })
    const utf16 = Buffer.from('\ufeff[1]', 'utf16le')
    for (const charset of ['utf-16le', 'utf-16', 'utf-8', 'iso-8859-1', 'klingon']) {
      expect(decodeResponse(receive(utf16, `${json}; charset=${charset}`))).toMatchObject({ json: [1] })
      expect(decodeResponse(receive('\ufeff"é"', `${json}; charset=${charset}`)).json).toBe('é')
    }
  })

  test('invalid bytes are data', () => {
    const name = Buffer.from('{"name":"M\u00fcller"}', 'latin1')
    expect(decodeResponse(receive(name, 'text/plain')).text).toContain('M\ufffdller')
    for (const type of [undefined, json, `${json}; charset=UTF-8`])
      expect(decodeResponse(receive(name, type))).toMatchObject({
        json: { name: 'M\ufffdller' },
        warning: 'The body has bytes that are not UTF-8, which are read as `\ufffd`',
      })
    for (const type of ['text/html', 'image/svg+xml; charset=utf-8'])
      expect(decodeResponse(receive(name, type)).warning).toContain('bytes that are not UTF-8')
    expect(decodeResponse(receive('{"name":"\ufffd"}', json)).warning).toBeUndefined()
    expect(decodeResponse(receive(name, 'image/png')).warning).toBeUndefined()
    expect(decodeResponse(receive(name, `${json}; charset=latin1`)).json).toEqual({ name: 'M\u00fcller' })
  })

  test('one broken answer does not spoil the next of the same charset', () => {
    const type = 'text/plain; charset=shift_jis'
    decodeResponse(receive(Buffer.from([0x83]), type))
    expect(decodeResponse(receive(Buffer.from([0x83, 0x65]), type)).text).toBe('テ')
  })
})

describe('broken JSON under a JSON type', () => {
  test.each([
    ['{"a": 1,}', 'unexpected `}` at line 1, column 9'],
    ['{\n  "a": [1, 2\n}', 'unexpected `}` at line 3, column 1'],
    ['{"a": ', 'the body ends too early at line 1, column 7'],
    ['{"a"', 'the body ends too early at line 1, column 5'],
    ['<html>', 'unexpected `<` at line 1, column 1'],
    ['{"a": undefined}', 'unexpected `u` at line 1, column 7'],
    ["{'a': 1}", "unexpected `'` at line 1, column 2"],
    ['[1] x', 'unexpected `x` at line 1, column 5'],
    ['[01]', 'unexpected `1` at line 1, column 3'],
    ['[1, truex]', 'unexpected `x` at line 1, column 9'],
    ['"a\u0001"', 'unexpected `\\x01` at line 1, column 3'],
    ['"a\\x"', 'unexpected `x` at line 1, column 4'],
    ['["open', 'the body ends too early at line 1, column 7'],
    ...['-', '1.', '1.5e', '1E-', 'tru', 'f', 'nul', '"x\\', '"x\\u00'].map((end) => [
      `[${end}`,
      `the body ends too early at line 1, column ${end.length + 2}`,
    ]),
    ['1.', 'the body ends too early at line 1, column 3'],
    ['NaN', 'unexpected `N` at line 1, column 1'],
    ['x at position 3', 'unexpected `x` at line 1, column 1'],
  ])('%j names the place', (body, expected) => {
    const decoded = decodeResponse(receive(body, json))
    expect(decoded).not.toHaveProperty('json')
    expect(decoded.jsonError).toContain(expected)
  })

  // Only the beginning of a secret tells that it is one.
  test.each([
    [`{"token": "${'k'.repeat(50)}\\"end", bad}`, 'near `…", bad}`'],
    [`{"token": "${'k'.repeat(50)}\nend", "n": 1}`, 'near `…\\nend", "n": 1}`'],
    [`["a", ${'1'.repeat(50)}x, ${'2'.repeat(50)}]`, 'near `…x, 2222222222222222…`'],
    [`[1, 2, 3, "${'a'.repeat(20)}", 4 5]`, `near \`… 3, "${'a'.repeat(20)}", 4 5]\``],
  ])('shows no end of a text whose beginning is cut off: %j', (body, excerpt) => {
    expect(decodeResponse(receive(body, json)).jsonError).toContain(excerpt)
  })

  test('integers of thousands of digits are refused: a server must not choose how long they are read and written', () => {
    const digits = (count: number): ReceivedResponse => receive(`{"a":${'9'.repeat(count)}}`, json)
    expect(decodeResponse(digits(4300)).json).toEqual({ a: 10n ** 4300n - 1n })
    const { json: parsed, jsonError } = decodeResponse(digits(10_000_000))
    expect(parsed).toBeUndefined()
    expect(jsonError).toBe(
      'The body could not be read as JSON: an integer in it has 10000000 digits, more than 4300',
    )
  })

  test('shows a short excerpt with control characters escaped', () => {
    const { jsonError } = decodeResponse(receive(`{"a": \u001b[31mx${'y'.repeat(1000)}`, json))
    expect(jsonError).toContain('near `{"a": \\x1b[31mx')
    expect(jsonError?.length).toBeLessThan(200)
  })

  test('an empty body says so, except where none is promised', () => {
    expect(decodeResponse(receive('', json)).jsonError).toBe(
      'The content type says JSON, but the body is empty',
    )
    expect(decodeResponse(receive('', json, 204))).toEqual({ text: '', sizeBytes: 0 })
    expect(decodeResponse(receive('', json), undefined, 'HEAD')).toEqual({ text: '', sizeBytes: 0 })
  })

  test('is found behind a million values, and not looked for behind many more', () => {
    const tell = (count: number): string | undefined =>
      decodeResponse(receive(`[${'1,'.repeat(count)}x]`, json)).jsonError
    expect(tell(1_000_000)).toContain('unexpected `x` at line 1, column 2000002')
    expect(tell(3_000_000)).toContain('The body could not be read as JSON: Unexpected token')
  })

  test('which is JSON nested too deep for the reader of long numbers is not said to be broken', () => {
    const deep = `${'['.repeat(200_000)}12345678901234567890${']'.repeat(200_000)}`
    expect(decodeResponse(receive(deep, json)).jsonError).toBe(
      'The body could not be read as JSON: Maximum call stack size exceeded',
    )
  })

  test('100,000 open brackets are an error, not a crash', () => {
    expect(decodeResponse(receive('['.repeat(100_000), json)).jsonError).toContain('column 100001')
  })
})
