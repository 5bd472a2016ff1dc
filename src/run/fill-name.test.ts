import { expect, test } from 'vitest'
import { fillName, showInName } from './fill-name.ts'

test.each([
  ['Get {{id}}', 'Get 7'],
  ['{{ user.name }}, {{list}}', 'Ada, [1,2]'],
  ['{{list[1]}} {{list.0}} {{größe}}', '2 1 XL'],
  [
    '{{missing}} {{user.missing}} {{js: 1 + 1}} {{waits}}',
    '{{missing}} {{user.missing}} {{js: 1 + 1}} {{waits}}',
  ],
  ['{{toString}} {{user.constructor}}', '{{toString}} {{user.constructor}}'],
  ['{{long}}', 'x'.repeat(100)],
])('fills in what is known of %s', (name, expected) => {
  const known = {
    id: 8,
    user: { name: 'Ada' },
    list: [1, 2],
    größe: 'XL',
    waits: '{{later}}',
    long: 'x'.repeat(100),
  }
  expect(fillName(name, [{ id: 7 }, known])).toBe(expected)
})

test('shows values as told to, with the name of the variable or member, also of a list', () => {
  const known = { user: { name: 'Ada' }, pins: [12], long: 'x'.repeat(100) }
  const show = (value: unknown, name: string): string => `${name}=${showInName(value as string)}`
  expect(fillName('{{user.name}} {{pins[0]}} {{pins.0}} {{long}}', [known], show)).toBe(
    `name=Ada pins=12 pins=12 long=${'x'.repeat(39)}…`,
  )
})
