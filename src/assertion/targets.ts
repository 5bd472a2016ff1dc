/**
 * What can be checked in a response, in the order in which checks run and are reported. `kind` decides which
 * checks a target takes: the parser, the schema of suites and the types of `defineSuite` have an entry for
 * each kind. `about` is shown in editors.
 */
export const targets = {
  status_code: { kind: 'status', about: 'A status code, a class such as 2xx, a list of these, or checks.' },
  headers: { kind: 'headers', about: 'Header name (in any case) → its value, or checks.' },
  cookies: {
    kind: 'cookies',
    about: 'Cookie → its value, or checks on it and its attributes (`http_only` …).',
  },
  redirects: { kind: 'redirects', about: 'How many redirects were followed, or checks on the list of them.' },
  body: { kind: 'data', about: 'The body: a value to compare with, or checks on its fields.' },
  xpath: { kind: 'selectors', about: 'XML: XPath expression → its text, or checks.' },
  css: { kind: 'selectors', about: 'HTML or XML: CSS selector → its text, or checks.' },
  openapi: { kind: 'openapi', about: 'File of an OpenAPI document, as which the response must be.' },
  events: { kind: 'data', about: 'Stream: checks on its events, each {event, data, id, at_ms}.' },
  messages: {
    kind: 'data',
    about: 'WebSocket: checks on its messages, each {direction, type, data, at_ms}.',
  },
  message: { kind: 'message', about: 'WebSocket: the message that `expect` checks.' },
  close_code: { kind: 'count', about: 'WebSocket: the code with which the server closes the connection.' },
  responses: { kind: 'responses', about: 'Burst: how many responses pass certain checks.' },
  mock_calls: {
    kind: 'data',
    about: 'Mocks: checks on the calls that they answered, each {method, url, headers, sent, …}.',
  },
  size_bytes: { kind: 'count', about: 'Size of the body in bytes, or checks.' },
  response_time_ms: {
    kind: 'time',
    about: 'The longest response time allowed: milliseconds or a duration; or checks.',
  },
  duration_ms: { kind: 'time', about: 'The same as `response_time_ms`.' },
  first_event_ms: {
    kind: 'time',
    about: 'Stream: the longest time allowed until its first event; or checks.',
  },
  custom: { kind: 'custom', about: 'Conditions in JavaScript.' },
} as const

/** What a check looks at. */
export type CheckTarget = keyof typeof targets
export type TargetKind = (typeof targets)[CheckTarget]['kind']
/** The targets of these kinds. */
export type TargetOf<Kind extends TargetKind> = {
  [Name in CheckTarget]: (typeof targets)[Name]['kind'] extends Kind ? Name : never
}[CheckTarget]

/** All targets, or those of the given kinds, in order. */
export function listTargets(...kinds: readonly TargetKind[]): CheckTarget[] {
  const all = Object.keys(targets) as CheckTarget[]
  return kinds.length === 0 ? all : all.filter((name) => kinds.includes(targets[name].kind))
}

/** Targets whose key can go on with a path: `body.items[0].id`. */
export const withPath: readonly CheckTarget[] = listTargets('data', 'headers', 'cookies', 'redirects')
