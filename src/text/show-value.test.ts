import { expect, test } from 'vitest'
import { cut, listNames, previewValue, showCycle } from './show-value.ts'

test('names in a message are on one line, cut where they are long, and counted where they are many', () => {
  expect(listNames(['a'.repeat(60), 'b'.repeat(61)])).toBe(`${'a'.repeat(60)}, ${'b'.repeat(59)}…`)
  const names = Array.from({ length: 13 }, (_, index) => `n${index}`)
  expect(listNames(names.slice(0, 12))).toBe('n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, n11')
  expect(listNames(['a\n::error::x', ''])).toBe(String.raw`a\n\x3a:error::x, ''`)
  expect(listNames(['\ufeffid', 'cafe\u0301'])).toBe(String.raw`\ufeffid, cafe\u0301`)
  expect(listNames(names)).toBe('n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, n11 … (13 in all)')
})

test('a cycle of more than 12 names is cut in the middle', () => {
  const names = Array.from({ length: 13 }, (_, index) => `n${index}`)
  expect(showCycle(names.slice(1))).toBe('n1 → n2 → n3 → n4 → n5 → n6 → n7 → n8 → n9 → n10 → n11 → n12 → n1')
  expect(showCycle(names)).toBe('n0 → n1 → n2 → n3 → n4 → n5 → … → n8 → n9 → n10 → n11 → n12 → n0')
})

test('a text is cut before a character that does not fit, never within it', () => {
  expect(cut(`${'a'.repeat(7)}😀b`, 9)).toBe(`${'a'.repeat(7)}…`)
  expect(cut(`${'a'.repeat(6)}😀bc`, 9)).toBe(`${'a'.repeat(6)}😀…`)
})

test('a preview shows five levels, and twenty members of each', () => {
  expect(previewValue([[[[['five', ['six']]]]]])).toBe('[[[[["five",[…]]]]]]')
  expect(previewValue({ a: { b: { c: { d: { e: { f: 1 } } } } } })).toBe('{"a":{"b":{"c":{"d":{"e":{…}}}}}}')
  expect(previewValue(Array(20).fill(1))).toBe(`[${Array(20).fill(1).join(',')}]`)
  expect(previewValue(Array(21).fill(1))).toBe(`[${Array(20).fill(1).join(',')},…]`)
})

test('a preview escapes what cannot be told apart by eye, and no other letters', () => {
  expect(previewValue(['a\u00a0b', 'e\u0301', '\ufeffa', 'a\u200bb\u2009'])).toBe(
    String.raw`["a\xa0b","e\u0301","\ufeffa","a\u200bb\u2009"]`,
  )
  expect(previewValue({ 'a\u00a0b': '👨‍👩‍👧 é 你好　さ' })).toBe(String.raw`{"a\xa0b":"👨‍👩‍👧 é 你好　さ"}`)
})
