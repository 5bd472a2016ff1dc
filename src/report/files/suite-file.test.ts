import { expect, test } from 'vitest'
import { nameFile } from './suite-file.ts'

test.each(['auth', 'A.b_c-1', '0', '_x', 'x'.repeat(100), 'console', 'com', 'com12'])(
  'the plain name %.20j stays',
  (name) => {
    expect(nameFile(name)).toBe(name)
  },
)

test.each([
  ['', /^suite-[0-9a-f]{10}$/],
  ['..', /^suite-[0-9a-f]{10}$/],
  ['../../etc/passwd', /^etc-passwd-[0-9a-f]{10}$/],
  ['Prüfung der Ämter', /^Pru-fung-der-A-mter-[0-9a-f]{10}$/],
  ['ends.', /^ends-[0-9a-f]{10}$/],
  ['-x', /^x-[0-9a-f]{10}$/],
  ['a\nb', /^a-b-[0-9a-f]{10}$/],
  ['CON', /^CON-[0-9a-f]{10}$/],
  ['lpt1.json', /^lpt1-json-[0-9a-f]{10}$/],
  ['x'.repeat(101), /^x{60}-[0-9a-f]{10}$/],
])('the name %.20j is made safe', (name, safe) => {
  expect(nameFile(name)).toMatch(safe)
})

test('names that look alike once safe stay apart, also with a lone surrogate', () => {
  const names = ['a/b', 'a b', 'a:b', 'a\ud800b', 'a\ud801b']
  expect(new Set(names.map(nameFile)).size).toBe(names.length)
})
