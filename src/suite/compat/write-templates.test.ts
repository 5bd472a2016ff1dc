import { expect, test } from 'vitest'
import { writeTemplates } from './write-templates.ts'

test.each([
  ['{{$js.Date.now()}}', '{{js: Date.now()}}'],
  ['{{$js:Date.now()}}', '{{js: Date.now()}}'],
  ['a {{ $js. return 1 + 1 }} b', 'a {{ js:         1 + 1 }} b'],
  ['{{$js.returned}}', '{{js: returned}}'],
  ['{{js: 1}} {{name}} $js.a', '{{js: 1}} {{name}} $js.a'],
])('%s is written as %s, as long as it was', (before, after) => {
  expect(writeTemplates(before)).toBe(after)
  expect(after).toHaveLength(before.length)
})

test('what holds none stays the same object, and what is shared is written once', () => {
  const plain = { a: ['{{b}}', 1, null] }
  expect(writeTemplates(plain)).toBe(plain)
  const shared = { code: '{{$js.a}}' }
  const written = writeTemplates({ one: shared, two: [shared], plain }) as {
    one: object
    two: object[]
    plain: object
  }
  expect(written).toEqual({ one: { code: '{{js: a}}' }, two: [{ code: '{{js: a}}' }], plain })
  expect(written.two[0]).toBe(written.one)
  expect(written.plain).toBe(plain)
})
