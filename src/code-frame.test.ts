import { expect, test } from 'vitest'
import { drawCodeFrame } from './code-frame.ts'

test('shows two lines around, with carets under the range', () => {
  expect(drawCodeFrame('one\ntwo\nthree four\nfive\nsix\nseven\n', [14, 18])).toBe(
    ['  1 | one', '  2 | two', '> 3 | three four', '    |       ^^^^', '  4 | five', '  5 | six'].join('\n'),
  )
})

test('widens the gutter for longer numbers and leaves out the empty end of the file', () => {
  expect(drawCodeFrame(`${'\n'.repeat(8)}a\nb\n`, [10, 11])).toBe(
    ['   8 |', '   9 | a', '> 10 | b', '     | ^'].join('\n'),
  )
})

test('keeps carets under what they mean: tabs, control characters, wide characters, combining marks', () => {
  expect(drawCodeFrame('\ta\x1b\u202e: b', [6, 7])).toBe('> 1 | \\ta\\x1b\\u202e: b\n    |                ^')
  expect(drawCodeFrame('漢字 x', [3, 4])).toBe('> 1 | 漢字 x\n    |      ^')
  expect(drawCodeFrame('e\u0301 x', [3, 4])).toBe('> 1 | e\u0301 x\n    |   ^')
})

test('ends carets at the end of the line, and reads both kinds of line ends', () => {
  expect(drawCodeFrame('a: [\r\n  b\r\n]', [3, 12])).toBe('> 1 | a: [\n    |    ^\n  2 |   b\n  3 | ]')
})

test('cuts long lines around the place', () => {
  const frame = drawCodeFrame(`${'x'.repeat(1000)}HERE${'y'.repeat(1000)}`, [1000, 1004])
  const [line = '', carets = ''] = frame.split('\n')
  expect(line.length).toBeLessThan(140)
  expect(line.slice(carets.indexOf('^'), carets.lastIndexOf('^') + 1)).toBe('HERE')
})

test('draws something for every place, also at and after the end', () => {
  for (const text of ['', '\n', 'a', 'a\n'])
    for (const at of [0, text.length, text.length + 5])
      expect(drawCodeFrame(text, [at, at + 1])).toContain('^')
})
