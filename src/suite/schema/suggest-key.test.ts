import { expect, test } from 'vitest'
import { suggestKey } from './suggest-key.ts'

test.each([
  ['steps:- name', ['suite_name', 'steps'], 'steps'],
  ['priority', ['suite_name', 'metadata'], 'metadata.priority'],
  ['priority', ['name', 'request'], undefined],
  ['status_code', ['name', 'assert'], 'assert.status_code'],
  ['assertions', ['name', 'assert'], 'assert'],
  ['nmae', ['name', 'request'], 'name'],
  ['constructor', ['name', 'request'], undefined],
])('for `%s` where %j are known: %s', (name, known, meant) => {
  expect(suggestKey(name, known)).toBe(meant)
})
