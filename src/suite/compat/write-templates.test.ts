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

test('all texts of a value are written, and its keys stay', () => {
  const value = { '{{$js.a}}': { code: '{{$js.a}}' }, list: [{ code: '{{$js:b}}' }, 1, null] }
  expect(writeTemplates(value)).toEqual({
    ...{ '{{$js.a}}': { code: '{{js: a}}' }, list: [{ code: '{{js: b}}' }, 1, null] },
  })
})
