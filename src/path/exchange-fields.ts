import { suggestName } from '../text/suggest.ts'

/** What the path of a capture can start with: the fields of the response. */
export const captureRoots: readonly string[] = [
  'status_code',
  'headers',
  'cookies',
  'body',
  'response_time_ms',
  'duration_ms',
  'size_bytes',
  'request',
]

/** What a step sends that is more than a request with one whole answer; a `message` is one of a WebSocket. */
export type ExchangeKind = 'stream' | 'burst' | 'websocket' | 'message'

type Fields = {
  /** What an answer has only then, and how to get it. */
  adds: readonly string[]
  addHint: string
  /** What it has not then: as the start of a path, and as something to check; and why. */
  paths?: readonly string[]
  checks?: readonly string[]
  lackHint?: string
}

const kinds: Readonly<Record<ExchangeKind, Fields>> = {
  stream: {
    adds: ['events', 'first_event_ms'],
    addHint: 'Give the step a `stream`, such as `stream: { events: 3, within: 5s }`.',
  },
  burst: {
    adds: ['responses'],
    addHint: 'Give the step a `burst`, such as `burst: { times: 20 }`.',
    paths: captureRoots.filter((name) => name !== 'request'),
    lackHint: 'A burst has many answers: write `responses[0].body` for one, `responses[].body` for all.',
  },
  websocket: {
    adds: ['messages', 'close_code'],
    addHint: 'Give the step a `websocket` in the place of its `request`.',
    paths: ['body', 'size_bytes'],
    checks: ['body', 'cookies', 'redirects', 'size_bytes', 'xpath', 'css'],
    lackHint: 'Messages are checked in `exchange`: `- expect: { … }`; all of them are `messages`.',
  },
  message: {
    adds: ['message'],
    addHint: 'It is what `expect` and the `capture` beside it look at, in the `exchange` of a `websocket`.',
    paths: captureRoots,
    lackHint: 'Beside `expect` a path starts at the message: `message.id`.',
  },
}

/** All that only the answers of some kind have. */
export const addedFields: readonly string[] = Object.values(kinds).flatMap(({ adds }) => adds)

/** Values of the response that conditions and templates of checks see beside the variables. */
export const LOCALS: ReadonlySet<string> = new Set([...captureRoots, 'response_time'])

/** True for a name that is not a variable at a key of a step: the answer has it, or it is the event that `until` looks at. */
export function isBound(name: string, key: string, kind: ExchangeKind | undefined): boolean {
  if (key === 'stream') return name === 'event'
  return JUDGED.has(key) && (LOCALS.has(name) || (kind !== undefined && kinds[kind].adds.includes(name)))
}

const JUDGED: ReadonlySet<string> = new Set(['assert', 'capture', 'scenarios', 'retry', 'mocks'])

/** Where the paths of a step can start: what all answers have and `known` lists, as far as those of its kind have it, and what they have more. */
export function listRoots(known: readonly string[], kind: ExchangeKind | undefined): readonly string[] {
  if (kind === undefined) return known
  const { adds, paths = [] } = kinds[kind]
  return [...known.filter((name) => !paths.includes(name)), ...adds]
}

/** Says that the answer of a step has no such part although others have it, and what to do; undefined if that is not so. */
export function explainLack(
  name: string,
  place: 'paths' | 'checks',
  kind: ExchangeKind | undefined,
): { what: string; hint: string } | undefined {
  const own = kind && kinds[kind]
  if (own?.adds.includes(name)) return undefined
  if (own?.[place]?.includes(name)) return { what: `a ${kind} does not have`, hint: own.lackHint ?? '' }
  const owner = Object.entries(kinds).find(([, { adds }]) => adds.includes(name))
  return owner && { what: `only a ${owner[0]} has`, hint: owner[1].addHint }
}

/** What a condition can start with: `variables` too. */
export const pathRoots: readonly string[] = [...captureRoots, 'variables']

/** What authors write instead. */
export const otherNames: Readonly<Record<string, string>> = {
  response: 'body',
  json: 'body.json',
  status: 'status_code',
  code: 'status_code',
  response_time: 'response_time_ms',
  time: 'response_time_ms',
  size: 'size_bytes',
  header: 'headers',
  cookie: 'cookies',
}

/** Says that an expression starts at a name that is never there, so that it would always find nothing. */
export function findUnknownRoot(
  { source, rootPaths }: { source: string; rootPaths: readonly (readonly (string | number)[])[] },
  always: readonly string[],
  kind?: ExchangeKind,
): { message: string; hint: string } | undefined {
  const known = listRoots(always, kind)
  const unknown = rootPaths.map(([root]) => String(root)).find((root) => !known.includes(root))
  if (unknown === undefined) return undefined
  const lack = explainLack(unknown, 'paths', kind)
  if (lack) return { message: `\`${source}\` reads \`${unknown}\`, which ${lack.what}.`, hint: lack.hint }
  return {
    message: `\`${source}\` reads \`${unknown}\`, which a response does not have${suggestPath(source, unknown, known)}.`,
    hint: `What can be read: ${known.join(', ')}; texts are written in single quotes.`,
  }
}

/** The path that was probably meant: below another name, or below `body`, where what an answer says is found. */
function suggestPath(source: string, unknown: string, known: readonly string[]): string {
  if (unknown === 'variables') return ''
  const rest = /^\s*(?:\$\.)?[\w-]+((?:[.[][\w.*[\]-]*)?)\s*$/.exec(source)?.[1] ?? ''
  const [, inner = ''] = rest.split(/[.[]/)
  const other = Object.hasOwn(otherNames, unknown) ? otherNames[unknown] : suggestName(unknown, known)
  const below = ['body', 'variables'].filter((root) => known.includes(root) || root === 'body')
  const paths = below.map((root) => `${root}.${unknown}${rest}`)
  if (unknown.startsWith('resp') && known.includes(inner)) paths.splice(0, 2, rest.slice(1))
  else if (other !== undefined) paths.splice(0, source.startsWith('$.') ? 0 : 2, `${other}${rest}`)
  return ` (did you mean ${paths.map((path) => `\`${path}\``).join(' or ')}?)`
}
