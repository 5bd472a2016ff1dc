import { expect, test } from 'vitest'
import { captureRoots, explainLack, findUnknownRoot, isBound, listRoots } from './exchange-fields.ts'

test('a burst has many answers and one request', () => {
  expect(listRoots(captureRoots, 'burst')).toEqual(['request', 'responses'])
  expect(explainLack('body', 'paths', 'burst')?.message).toBe('A burst has no `body`.')
  expect(explainLack('request', 'paths', 'burst')).toBeUndefined()
  expect(explainLack('responses', 'paths', 'burst')).toBeUndefined()
})

test('a call has what its last answer may have, but nobody waits for the code of its WebSocket', () => {
  expect(listRoots(['body'], 'call')).toEqual(['body', 'events', 'first_event_ms', 'messages'])
  expect(explainLack('close_code', 'checks', 'call')?.message).toBe('Only a WebSocket has `close_code`.')
})

test('what only other steps have is told with what gives it', () => {
  expect(explainLack('events', 'paths', undefined)).toEqual({
    message: 'Only a stream has `events`.',
    hint: 'Give the step a `stream`, such as `stream: { events: 3, within: 5s }`.',
  })
  expect(explainLack('status_code', 'paths', undefined)).toBeUndefined()
})

test.for<[name: string, key: string, isKnown: boolean]>([
  ['body', 'assert', true],
  ['body', 'request', false],
  ['event', 'until', true],
  ['event', 'trigger', false],
  ['events', 'assert', true],
  ['responses', 'assert', false],
])('`%s` in `%s` of a stream is one of the answer: %s', ([name, key, isKnown]) => {
  expect(isBound(name, key, 'stream')).toBe(isKnown)
})

test.for<[source: string, root: string, meant: string]>([
  ['response.body.id', 'response', ' (did you mean `body.id`?)'],
  ['res.body.id', 'res', ' (did you mean `body.id`?)'],
  ['json.id', 'json', ' (did you mean `body.id`?)'],
  ['$.json.id', 'json', ' (did you mean `body.json.id`?)'],
  ['data.id', 'data', ' (did you mean `body.data.id`?)'],
  ['$.items[0]', 'items', ' (did you mean `body.items[0]`?)'],
  ['$.status', 'status', ' (did you mean `body.status`?)'],
  ['jsonData.user.id', 'jsonData', ' (did you mean `body.user.id`?)'],
  ['responseSize', 'responseSize', ' (did you mean `size_bytes`?)'],
  ['variables.id', 'variables', ''],
  ['headrs.etag', 'headrs', ' (did you mean `headers.etag`?)'],
])('suggests what `%s` was meant to read', ([source, root, meant]) => {
  expect(findUnknownRoot({ source, rootPaths: [[root]] }, captureRoots)?.message).toBe(
    `A response has no \`${root}\`${meant}.`,
  )
})

test.for([
  ['id', 'message', 'A WebSocket message has no `id` (did you mean `message.id`?).'],
  ['json', 'message', 'A WebSocket message has no `json` (did you mean `message`?).'],
  ['code', 'message', 'A WebSocket message has no `code` (did you mean `message.code`?).'],
  ['id', 'burst', 'A burst has no `id` (did you mean `responses[0].body.id`?).'],
  ['id', 'websocket', 'A WebSocket has no `id` (did you mean `messages[0].data.id`?).'],
  ['id', 'stream', 'A response has no `id` (did you mean `body.id`?).'],
] as const)('suggests for `%s` where the content of a %s is', ([root, kind, message]) => {
  expect(findUnknownRoot({ source: root, rootPaths: [[root]] }, captureRoots, kind)?.message).toBe(message)
})
