import type { Json, JsonObject } from '../json.ts'

/** Header lines in the order they were on the wire, names in the case they had there; a name may repeat. */
export type HeaderLines = readonly (readonly [name: string, value: string])[]

/** A request as it goes, or went, over the wire, without its redirects. */
export type SentRequest = {
  method: string
  /** Absolute http(s) URL, percent-encoded. */
  url: string
  headers: HeaderLines
  /** Exact bytes of the body; absent when there is none. */
  body?: Uint8Array | undefined
}

/** A request ready to be sent: everything interpolated, encoded and joined. */
export type RequestSpec = SentRequest & {
  /** True takes nothing from a cookie jar: its author wrote null for the header. */
  withoutJar?: true
  /** Limit in ms over connect, head and whole body, redirects included. */
  timeout: number
  /** What the author calls that limit. @default 'timeout' */
  timeoutName?: string
  /** How many redirects to follow; 0 hands a 3xx to the assertions. */
  maxRedirects: number
  /** Gives the request its credentials, as long as it stays with the origin it was made for. */
  auth?: Authorizer
  connection?: ConnectionSettings | undefined
}

/** What gives a request its credentials. */
export type Authorizer = {
  /** Lower-case names of the headers it writes, which the author therefore must not. */
  headers?: readonly string[]
  /** The query parameter that it writes. */
  param?: string
  /** The request with credentials; throws a `RequestStop` when there are none to be had. */
  authorize(request: SentRequest, context: AuthContext): SentRequest | Promise<SentRequest>
  /** The request to send after an answer that asks for other credentials, or in words why there is none; undefined leaves it at that. */
  answer?: (request: SentRequest, head: ResponseHead) => SentRequest | string | undefined
}

/** What fetches credentials: a way to send requests, of which the exchange takes note, and what all requests of a run share. */
export type AuthContext = {
  send(spec: RequestSpec): Promise<Exchange>
  /** Credentials by what they were asked for. */
  tokens: Map<string, Promise<Token>>
  timeout: number
}

/** A token that was fetched, and when to fetch another (`performance.now()`). */
export type Token = { value: string; renewAt: number; refreshToken?: string }

/** How connections are made; requests with the same settings share them. */
export type ConnectionSettings = {
  /** True takes any TLS certificate. */
  insecure?: boolean
  /** True speaks HTTP/2 and nothing else. */
  http2?: boolean
  /** A URL, `false` for none, or the environment's (`HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY`) when absent. */
  proxy?: string | false | undefined
  tls?: TlsSettings
}

/** Who the client is and whom it trusts; certificates and key as PEM. */
export type TlsSettings = {
  cert?: Uint8Array
  key?: Uint8Array
  /** Trusted instead of the well-known issuers. */
  ca?: Uint8Array
  passphrase?: string
  /** The name the server has to prove, if it is not the URL's. */
  serverName?: string
}

/** Head of a response as received; header values are latin-1, as in Node's http and in fetch. */
export type ResponseHead = {
  statusCode: number
  statusText: string
  httpVersion: string
  headers: HeaderLines
}

/** A response with its whole body. */
export type ReceivedResponse = ResponseHead & {
  /** Body after content decoding (gzip …). */
  body: Uint8Array
  /** Body bytes received on the wire, before content decoding. */
  transferBytes: number
}

/** Measured durations in ms from the client's own events; a phase that did not happen (kept-alive socket, http) is absent. After redirects the phases are those of the last request, `total` covers all. */
export type Timings = {
  dns?: number
  connect?: number
  tls?: number
  /** From the request being sent to the first byte of the head. */
  ttfb?: number
  /** From the head to the last byte of the body. */
  download?: number
  /** For how long the event loop stood still meanwhile: by up to that much `total` and the phases are too long. */
  blocked?: number
  total: number
}

/** Why no (whole) response came. `message` is a sentence with method, URL, phase, code and elapsed time. */
export type RequestFailure = {
  phase: RequestPhase
  /** Underlying code such as `ECONNREFUSED`, `CERT_HAS_EXPIRED`, `TIMEOUT`, `INVALID_HTTP`. */
  code: string
  message: string
}

/** Where in its life a request may fail, and what it was doing then. */
export const phases = {
  build: 'while building the request',
  auth: 'while getting its credentials',
  resolve: 'while resolving the host name',
  connect: 'while connecting',
  tls: 'in the TLS handshake',
  send: 'while sending the request',
  head: 'while waiting for the response head',
  body: 'while receiving the body',
  decode: 'while decoding the body',
  redirect: 'while following a redirect',
} as const

/** Where in its life a request failed. */
export type RequestPhase = keyof typeof phases

/** A limit that was reached, or a reason of ours to end a request; other errors come from the client. */
export type Stop = { code: string; message: string; hint?: string | undefined }

/** Thrown where an exchange ends without an answer: no credentials were to be had, or a redirect is not followed. */
export class RequestStop extends Error implements Stop {
  readonly phase: RequestPhase
  readonly code: string
  readonly hint: string | undefined

  constructor(phase: RequestPhase, { code, message, hint }: Stop) {
    super(message)
    this.phase = phase
    this.code = code
    this.hint = hint
  }
}

/** Reads the body of an answer while it comes. */
export type BodyReader = {
  /** Looks at the head; false leaves the body to be read as a whole. */
  begin(head: ResponseHead): boolean
  /** Takes a piece; true when it was enough, which ends the connection. */
  take(chunk: Uint8Array): boolean
  /** Hears that the body ended before it was enough: by itself, or for a reason. */
  end(reason?: Error | Stop): void
}

/** An event of a stream; `data` is parsed when it is JSON. */
export type StreamEvent = JsonObject & { event?: string; data: Json; id?: string; at_ms: number }

/** A message of a WebSocket; `data` is parsed when it is JSON, and base64 when it is binary. */
export type SocketMessage = {
  direction: 'sent' | 'received'
  type: 'text' | 'binary'
  data: Json
  at_ms: number
}

/** One redirect that was followed. */
export type Redirect = {
  status_code: number
  method: string
  url: string
  location: string
  /** Names of the cookies it set. */
  set_cookies?: string[]
}

/** What is unusual about the connection of an exchange's last request. */
export type ConnectionNote = {
  /** Host and port of the proxy it went through. */
  proxy?: string
  /** Present when no certificate was verified. */
  insecure?: true
  /** Present when HTTP/2 was asked for. */
  http2?: true
}

/** A request that was sent to get credentials, without them. */
export type AuthRequest = { method: string; url: string; status_code?: number; duration_ms: number }

/** One request and what came of it. `response` and `failure` exclude each other, except that a failure in body or decode keeps the head (with an empty body: a broken body is never judged). */
export type Exchange = {
  /** The author's request, so the first one when redirects were followed. */
  request: SentRequest
  response?: ReceivedResponse
  failure?: RequestFailure
  redirects: Redirect[]
  /** What was sent before it to get credentials: token requests, the answer that asked for a digest. */
  authRequests?: AuthRequest[]
  timings: Timings
  connection?: ConnectionNote
  /** What the author should know although nothing failed, such as a cookie that was refused. */
  warnings?: string[]
}

/** Bounds on what a server may answer. */
export type RequestLimits = {
  /** Bytes of the body, both on the wire and after content decoding. */
  body: number
  /** Bytes of one response head, status line included. */
  head: number
  /** Content encodings applied one after the other. */
  encodings: number
  /** Informational (1xx) responses before the final one. */
  informational: number
}

/** Limits of requests that set none. */
export const defaultLimits: RequestLimits = {
  body: 50 * 1024 * 1024,
  head: 64 * 1024,
  encodings: 5,
  informational: 1000,
}

/** Header lines of names and values that take turns; blanks behind a value are no part of it (RFC 9110, 5.5). */
export function pairLines(parts: readonly string[]): HeaderLines {
  const values = parts.map((part) => part.replace(/(?<![ \t])[ \t]+$/, ''))
  return values.flatMap((name, at) => (at % 2 === 0 ? [[name, values[at + 1] ?? ''] as const] : []))
}

/** First value of a header, its name in any case. */
export function findHeader(headers: HeaderLines, name: string): string | undefined {
  return headers.find(([other]) => other.toLowerCase() === name)?.[1]
}

/** All values of a header, its name in any case. */
export function listHeader(headers: HeaderLines, name: string): string[] {
  return headers.filter(([other]) => other.toLowerCase() === name).map(([, value]) => value)
}

/** Values by name; what has several values has a list of them. */
export function groupValues(
  pairs: Iterable<readonly [name: string, value: string]>,
): Record<string, string | string[]> {
  const grouped: Record<string, string | string[]> = Object.create(null)
  for (const [name, value] of pairs) {
    const known = grouped[name]
    if (known === undefined) grouped[name] = value
    else if (typeof known === 'string') grouped[name] = [known, value]
    else known.push(value)
  }
  return grouped
}

/** Headers as checks see them: lower-case names; one that was sent several times is a list. */
export function groupHeaders(lines: HeaderLines): Record<string, string | string[]> {
  return groupValues(lines.map(([name, value]) => [name.toLowerCase(), value] as const))
}

/** Headers as they were sent, each of them as one text. */
export function joinHeaders(lines: HeaderLines): Record<string, string> {
  const headers: Record<string, string> = Object.create(null)
  for (const [name, value] of lines)
    headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value
  return headers
}

/** Splits an absolute URL into its origin and what goes into the request line. */
export function splitTarget(url: string): [origin: string, target: string] {
  const slash = url.indexOf('/', url.indexOf('://') + 3)
  return slash === -1 ? [url, '/'] : [url.slice(0, slash), url.slice(slash)]
}
