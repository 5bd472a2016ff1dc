import { readOtherNames, suggestName } from '../text/suggest.ts'

/** The fields of a response: what the path of a capture can start with. */
export const captureRoots: readonly string[] = [
  'status_code',
  'headers',
  'cookies',
  'body',
  'response_time_ms',
  'duration_ms',
  'size_bytes',
  'redirects',
  'request',
  'mock_calls',
]

/** What a step exchanges instead of one request for one response. A `call` may end with a response of any kind. */
export type ExchangeKind = 'stream' | 'burst' | 'websocket' | 'message' | 'call'

type Fields = {
  /** The kind in messages, if not by its own name. */
  title?: string
  /** Fields that only this kind has, and how to get them. */
  adds: readonly string[]
  addHint: string
  /** Fields that this kind lacks in captures (`paths`) and in `checks`, and what to use instead. */
  paths?: readonly string[]
  checks?: readonly string[]
  lackHint?: string
  /** The path of the content, if it is not `body`. */
  content?: string
}

const kinds: Readonly<Record<ExchangeKind, Fields>> = {
  stream: {
    adds: ['events', 'first_event_ms'],
    addHint: 'Give the step a `stream`, such as `stream: { events: 3, within: 5s }`.',
  },
  burst: {
    adds: ['responses'],
    addHint: 'Give the step a `burst`, such as `burst: { times: 20 }`.',
    paths: [...captureRoots.filter((name) => name !== 'request'), 'xpath', 'css'],
    checks: ['mock_calls'],
    lackHint: 'A burst has many responses: write `responses[0].body` for one, `responses[].body` for all.',
    content: 'responses[0].body',
  },
  websocket: {
    title: 'WebSocket',
    adds: ['messages', 'close_code'],
    addHint: 'Give the step a `websocket` instead of its `request`.',
    paths: ['body', 'size_bytes', 'redirects', 'xpath', 'css'],
    checks: ['body', 'cookies', 'redirects', 'size_bytes', 'xpath', 'css', 'openapi'],
    lackHint: 'Check each message in `exchange` with `- expect: { … }`, or all of them as `messages`.',
    content: 'messages[0].data',
  },
  message: {
    title: 'WebSocket message',
    adds: ['message'],
    addHint: 'Use it in an `expect`, or in the `capture` beside it, in the `exchange` of a `websocket`.',
    paths: [...captureRoots, 'xpath', 'css'],
    lackHint: 'Beside `expect`, a path starts at the message: `message.id`.',
    content: 'message',
  },
  call: { adds: ['events', 'first_event_ms', 'messages'], addHint: '' },
}

/** All fields: those that every response has, and those that only some kinds add. */
export const allFields: readonly string[] = [
  ...captureRoots,
  ...Object.values(kinds).flatMap(({ adds }) => adds),
]

/** The names of the response that conditions, and templates in checks, can use besides variables. */
export const LOCALS: ReadonlySet<string> = new Set([...captureRoots, 'response_time'])

/** True if a name in this key of a step is not a variable: a field of the response, or `event` in `until`. */
export function isBound(name: string, key: string, kind: ExchangeKind | undefined): boolean {
  if (key === 'until') return name === 'event'
  return JUDGED.has(key) && (LOCALS.has(name) || (kind !== undefined && kinds[kind].adds.includes(name)))
}

const JUDGED: ReadonlySet<string> = new Set(['assert', 'capture', 'scenarios', 'retry', 'mocks'])

/** The names that paths of a step can start with: `known`, without what its kind lacks, plus what it adds. */
export function listRoots(known: readonly string[], kind: ExchangeKind | undefined): readonly string[] {
  if (kind === undefined) return known
  const { adds, paths = [] } = kinds[kind]
  return [...known.filter((name) => !paths.includes(name)), ...adds]
}

/** Explains that this kind of response lacks a field that others have, and what to do; else undefined. */
export function explainLack(
  name: string,
  place: 'paths' | 'checks',
  kind: ExchangeKind | undefined,
): { message: string; hint: string } | undefined {
  const own = kind && kinds[kind]
  if (own?.adds.includes(name)) return undefined
  if (own?.[place]?.includes(name))
    return { message: `A ${own.title ?? kind} has no \`${name}\`.`, hint: own.lackHint ?? '' }
  const owner = Object.entries(kinds).find(([, { adds }]) => adds.includes(name))
  if (owner === undefined) return undefined
  const [key, { title = key, addHint }] = owner
  return { message: `Only a ${title} has \`${name}\`.`, hint: addHint }
}

/** What a condition can start with: the fields of a response, and `variables`. */
export const pathRoots: readonly string[] = [...captureRoots, 'variables']

/** Wrong names that authors write, and what they mean. */
export const otherRoots = readOtherNames({
  body: 'response json text response_body responseBody jsonData jsonpath',
  'body.equals': 'strict exact',
  'body.schema': 'json_schema openapi',
  'body.snapshot': 'snapshot',
  css: 'selector selectors html',
  xpath: 'xml',
  status_code: 'status code http_status responseCode',
  response_time_ms: 'response_time time latency latency_ms',
  size_bytes: 'size body_size responseSize transfer_bytes',
  headers: 'header response_headers',
  'headers.content-type': 'content_type',
  'headers.location': 'location',
  'redirects[-1].target': 'final_url',
  cookies: 'cookie',
})

/** Explains that an expression starts with a name that no response has; undefined if all names are known. */
export function findUnknownRoot(
  { source, rootPaths }: { source: string; rootPaths: readonly (readonly (string | number)[])[] },
  always: readonly string[],
  kind?: ExchangeKind,
): { message: string; hint: string } | undefined {
  const known = listRoots(always, kind)
  const unknowns = rootPaths.map(([root]) => String(root)).filter((root) => !known.includes(root))
  const [unknown] = unknowns
  if (unknown === undefined) return undefined
  const lack = explainLack(unknown, 'paths', kind)
  if (lack) return lack
  // A name alone beside `==`, or after the comma before another argument, is often a string.
  const words = source.matchAll(/(?:[=!]=|,)\s*([A-Za-z_]\w*)\s*(?=$|[&|)\],])/g)
  const word = [...words].map(([, name = '']) => name).find((name) => unknowns.includes(name))
  const first = word === undefined ? '' : `If \`${word}\` is a string, put it in quotes: \`'${word}'\`. `
  const { content, title = kind } = (kind && kinds[kind]) ?? {}
  const meant = unknown === 'variables' ? [] : listMeant(source, unknown, { known, content })
  const others = meant.length > 0 ? ` (did you mean ${meant.map((path) => `\`${path}\``).join(' or ')}?)` : ''
  return {
    message: `A ${content === undefined ? 'response' : title} has no \`${unknown}\`${others}.`,
    hint: `${first}Available: ${known.join(', ')}.`,
  }
}

/** The paths that were probably meant: with another name, or the same one below the content. */
function listMeant(
  source: string,
  unknown: string,
  { known, content = 'body' }: { known: readonly string[]; content: string | undefined },
): string[] {
  const [, below = ''] = /^\s*(?:\$\.)?[\w-]+((?:[.[][\w.*[\]-]*)?)\s*$/.exec(source) ?? []
  const [, inner = ''] = below.split(/[.[]/)
  if (unknown.startsWith('res') && known.includes(inner)) return [below.slice(1)]
  const meant = Object.hasOwn(otherRoots, unknown) ? otherRoots[unknown] : suggestName(unknown, known)
  const other = meant === 'body' ? content : known.find((name) => name === meant)
  // In JSONPath, `$` is the body.
  if (other !== undefined && !source.startsWith('$.')) return [`${other}${below}`]
  return [content, ...known.filter((at) => at === 'variables')].map((at) => `${at}.${unknown}${below}`)
}
