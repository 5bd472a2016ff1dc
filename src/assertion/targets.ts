/**
 * What can be checked in a response, in the order in which checks run and are reported. `kind` decides which
 * checks a target takes: the parser, the schema of suites and the types of `defineSuite` have an entry for
 * each kind. `about` is shown in editors.
 */
export const targets = {
  status_code: { kind: 'status', about: 'A status, a class such as 2xx, a list of them, or checks.' },
  headers: { kind: 'headers', about: 'Header name (any case) → value or operators.' },
  cookies: {
    kind: 'cookies',
    about: 'Cookie → its value, or checks on it and its attributes (`http_only` …).',
  },
  redirects: { kind: 'redirects', about: 'How many redirects were followed, or checks on their list.' },
  body: { kind: 'data', about: 'Fields down to checks or values.' },
  xpath: { kind: 'selectors', about: 'Of XML: XPath → its text, or checks.' },
  css: { kind: 'selectors', about: 'Of HTML or XML: selector → its text, or checks.' },
  events: { kind: 'data', about: 'Of a stream: its events, {event, data, id, at_ms} each.' },
  messages: { kind: 'data', about: 'Of a WebSocket: its messages, {direction, type, data, at_ms} each.' },
  message: { kind: 'message', about: 'Of a WebSocket: the message that `expect` is about.' },
  close_code: { kind: 'count', about: 'Of a WebSocket: the code that the server closes it with.' },
  responses: { kind: 'responses', about: 'Of a burst: for how many answers some checks pass.' },
  size_bytes: { kind: 'count', about: 'Size of the body in bytes, or checks.' },
  response_time_ms: { kind: 'time', about: 'At most so many milliseconds, or a duration, or checks.' },
  duration_ms: { kind: 'time', about: 'The same as `response_time_ms`.' },
  first_event_ms: { kind: 'time', about: 'Of a stream: at most so long to its first event, or checks.' },
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
