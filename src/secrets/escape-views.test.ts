import { expect, test } from 'vitest'
import { listViews } from './escape-views.ts'

const read = (text: string, plus = false): string[] => listViews(text, plus).map((view) => view.text)

test('undoes one layer of escapes after the other', () => {
  expect(read('plain+text')).toEqual([])
  expect(read('100 %')).toEqual([])
  expect(read('a+b%2b', true)).toEqual(['a+b+', 'a b+', 'a b '])
  expect(read(String.raw`P\\u00e4\\\"x`)).toEqual([String.raw`P\u00e4\"x`, 'Pä"x'])
  expect(read('%C3%a4%E4%41')).toEqual(['ä%E4A'])
  expect(read('a&amp;quot;&#228;&#xE4;')).toEqual(['a&quot;ää', 'a"ää'])
  expect(read('&LT;&#x1F600;&#128512;&#x110000;')).toEqual(['<😀😀&#x110000;'])
  expect(read('%E4%80%41%EF%BF%BD')).toEqual(['%E4%80A\ufffd'])
  expect(read(String.raw`'it'\''s \303\244 %%'`)).toEqual(["'it's ä %'"])
  expect(read(String.raw`^a\.b\x2dc\|\[\$$`)).toEqual(['^a.b-c|[$$'])
  expect(read(String.raw`\ud83d\ude00\/\x41\n`)).toEqual(['😀/A\n'])
})

test('knows where each of its characters stood, behind every layer', () => {
  const [, view] = listViews('a%20b+%41%e9c', true)
  expect(view?.text).toBe('a b A%e9c')
  expect(Array.from({ length: 10 }, (_, at) => view?.locate(at))).toEqual([0, 1, 4, 5, 6, 9, 10, 11, 12, 13])
  const [, inner] = listViews(String.raw`x\\u0041y`, false)
  expect(inner?.text).toBe('xAy')
  expect([0, 1, 2, 3].map((at) => inner?.locate(at))).toEqual([0, 1, 8, 9])
})
