import { requestKeys } from '../../request/build/request-input.ts'
import { requestSchema } from './schema-request.ts'
import { expect, test } from 'vitest'
import { suggestKey } from './suggest-key.ts'

test.each([
  ['steps:- name', ['suite_name', 'steps'], 'steps'],
  ['priority', ['suite_name', 'metadata'], 'metadata.priority'],
  ['priority', ['name', 'request'], undefined],
  ['status_code', ['name', 'assert'], 'assert.status_code'],
  ['assertions', ['name', 'assert'], 'assert'],
  ['request.url', ['name', 'request'], 'request.url'],
  ['nmae', ['name', 'request'], 'name'],
  ['status', ['url', 'respond'], 'respond.status'],
  ['GET', ['name', 'request'], 'request'],
  ['post', ['url', 'method'], 'method'],
  ['beforeAll', ['setup', 'teardown'], 'setup'],
  ['pool', ['app', 'concurrency'], 'concurrency'],
  ['maxWorkers', ['app', 'concurrency'], 'concurrency'],
  ['times', ['max_attempts', 'until'], 'max_attempts'],
  ['if', ['name', 'skip'], "skip: { when: '!(…)' }"],
  ['if', ['condition', 'then'], 'condition'],
  ['unless', ['name', 'skip'], 'skip.when'],
  ['for_each', ['name', 'iterate'], 'iterate'],
  ['csv', ['steps', 'each'], 'each'],
  ['username', ['bearer', 'basic'], 'basic.username'],
  ['when', ['name', 'condition', 'then', 'else'], 'condition'],
  ['constructor', ['name', 'request'], undefined],
])('for `%s` where %j are known: %s', (name, known, meant) => {
  expect(suggestKey(name, known)).toBe(meant)
})

test('what a hook may set in a request is what a suite can write there', () => {
  expect(requestKeys.toSorted()).toEqual(Object.keys(requestSchema.entries).toSorted())
})
