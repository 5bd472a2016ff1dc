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
  ['delay_ms', ['max_attempts', 'base_delay_ms'], 'base_delay_ms'],
  ['status', ['url', 'respond'], 'respond.status'],
  ['status_code', ['status', 'headers', 'body'], 'status'],
  ['GET', ['name', 'request'], 'request'],
  ['post', ['url', 'method'], 'method'],
  ['beforeAll', ['setup', 'teardown'], 'setup'],
  ['username', ['basic', 'bearer'], 'basic.username'],
  ['stages', ['suite_name', 'steps'], 'steps'],
  ['include', ['name', 'call'], 'call'],
  ['bind', ['name', 'capture'], 'capture'],
  ['cookies', ['url', 'headers'], 'headers.cookie'],
  ['contentType', ['url', 'headers'], 'headers.content-type'],
  ['until', ['name', 'retry'], 'retry.until'],
  ['formData', ['url', 'multipart'], 'multipart'],
  ['env', ['include', 'environment', 'app'], 'environment'],
  ['application', ['include', 'environment', 'app'], 'app'],
  ['match', ['url', 'when', 'respond'], 'when'],
  ['match', ['name', 'assert'], 'assert'],
  ['delay_before', ['name', 'delay_ms'], 'delay_ms'],
  ['parameters', ['url', 'params'], 'params'],
  ['location', ['url', 'follow_redirects'], 'follow_redirects'],
  ['pool', ['app', 'concurrency'], 'concurrency'],
  ['maxWorkers', ['app', 'concurrency'], 'concurrency'],
  ['testcases', ['suite_name', 'steps'], 'steps'],
  ['parameters', ['suite_name', 'each'], 'each'],
  ['range', ['name', 'iterate'], 'iterate'],
  ['times', ['name', 'iterate'], 'iterate'],
  ['times', ['max_attempts', 'until'], 'max_attempts'],
  ['upload', ['url', 'multipart'], 'multipart'],
  ['bodyFile', ['url', 'file'], 'file'],
  ['verify_ssl', ['url', 'insecure'], 'insecure'],
  ['delay_after', ['name', 'delay_ms'], 'delay_ms'],
  ['constructor', ['name', 'request'], undefined],
])('for `%s` where %j are known: %s', (name, known, meant) => {
  expect(suggestKey(name, known)).toBe(meant)
})

test('what a hook may set in a request is what a suite can write there', () => {
  expect(requestKeys.toSorted()).toEqual(Object.keys(requestSchema.entries).toSorted())
})
