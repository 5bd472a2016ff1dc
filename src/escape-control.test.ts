import { expect, test } from 'vitest'
import { escapeControl, escapeControlInLines } from './escape-control.ts'

test('leaves ordinary text of any script as it is', () => {
  for (const text of ['', 'GET /users', 'naïve – „Grüße“ 日本語 עברית 👩‍👩‍👧', 'back\\slash']) {
    expect(escapeControl(text)).toBe(text)
    expect(escapeControlInLines(text)).toBe(text)
  }
})

test('shows escape sequences, C0, DEL and C1 controls', () => {
  expect(escapeControl('\u001b[31mred\u001b[0m \u0007 \u0000 \u007f \u009b2J')).toBe(
    String.raw`\x1b[31mred\x1b[0m \x07 \x00 \x7f \x9b2J`,
  )
  expect(escapeControl('a\r\nb\tc\u2028d\u2029')).toBe(String.raw`a\r\nb\tc\u2028d\u2029`)
})

test('shows bidi controls, noncharacters and lone surrogates, not pairs', () => {
  expect(escapeControl('\u202eabc\u2066\u2069\u200f\u061c')).toBe(
    String.raw`\u202eabc\u2066\u2069\u200f\u061c`,
  )
  expect(escapeControl('\ud83d\ude00 \ud83d x \ude00 \uffff')).toBe(String.raw`😀 \ud83d x \ude00 \uffff`)
})

test('shows characters without width, except those that scripts and emoji need', () => {
  expect(escapeControl('status_code\u200b soft\u00adly \ufeffid a\u2060b')).toBe(
    String.raw`status_code\u200b soft\xadly \ufeffid a\u2060b`,
  )
  expect(escapeControl('\u0645\u06cc\u200c\u062e \u{1f469}\u200d\u{1f467}')).toBe(
    '\u0645\u06cc\u200c\u062e \u{1f469}\u200d\u{1f467}',
  )
})

test('keeps line feeds and tabs in text of several lines, but no carriage return', () => {
  expect(escapeControlInLines('- a\r\n\t+ b\rc\u001b[2K\n')).toBe(
    '- a\n\t+ b' + String.raw`\rc\x1b[2K` + '\n',
  )
})

test('breaks what CI would take for a command: the runner of GitHub skips blanks before it', () => {
  expect(escapeControlInLines('  ::add-mask::x\n::error file=a,line=1::b\n\t::stop-commands::c')).toBe(
    String.raw`  \x3a:add-mask::x` +
      '\n' +
      String.raw`\x3a:error file=a,line=1::b` +
      '\n\t' +
      String.raw`\x3a:stop-commands::c`,
  )
  expect(escapeControl('a ##[add-mask]b ##vso[task.setvariable]c ##teamcity[d]')).toBe(
    String.raw`a \x23#[add-mask]b \x23#vso[task.setvariable]c \x23#teamcity[d]`,
  )
  for (const text of ['::1', '::ffff:127.0.0.1', 'a ::error::b', 'std::vector::at', '## [1.0] ##', '# a[0]'])
    expect(escapeControlInLines(text)).toBe(text)
})

test('no unsafe character survives, whatever surrounds it', () => {
  for (let code = 0; code <= 0xffff; code += 1) {
    const shown = escapeControl(`a${String.fromCharCode(code)}b`)
    expect(shown.isWellFormed() && !/[\p{Cc}\p{Bidi_Control}]/u.test(shown)).toBe(true)
  }
})
