import { markHeaders } from '../interpolation/header-names.ts'
import type { Json, JsonObject } from '../json.ts'

/** Header lines in the order and case they had on the wire; a name may repeat. */
export type HeaderLines = readonly (readonly [name: string, value: string])[]

export type SentRequest = {
  method: string
  /** Absolute http(s) URL, percent-encoded. */
  url: string
  headers: HeaderLines
  body?: Uint8Array | undefined
}

export type RequestSpec = SentRequest & {
  /** True if no cookies from the jar are sent, because the author set the header to null. */
  withoutJar?: true
  /** Limit in ms for connecting, head and whole body, redirects included. */
  timeout: number
  /** The author's name for that limit. @default 'timeout' */
  timeoutName?: string
  /** How many redirects to follow. With 0, checks see the 3xx response. */
  maxRedirects: number
  /** Adds credentials to the request as long as it stays on its original origin. */
  auth?: Authorizer
  connection?: ConnectionSettings | undefined
}

export type Authorizer = {
  /** Lower-case names of the headers it writes; the author must not write them too. */
  headers?: readonly string[]
  /** Returns the request with credentials. If it throws, the request fails. */
  authorize(request: SentRequest, context: AuthContext): SentRequest | Promise<SentRequest>
  /** The request to send next, made from `request`, or why there is none; undefined accepts the response. */
  answer?: (request: SentRequest, head: ResponseHead) => SentRequest | string | undefined
}

/** For fetching credentials: sends requests, which the exchange records, and has the tokens of the run. */
export type AuthContext = {
  send(spec: RequestSpec): Promise<Exchange>
  /** Tokens by the settings they were requested with. */
  tokens: Map<string, Promise<Token>>
  timeout: number
}

/** A token, valid from `fetchedAt` to `renewAt` (`Date.now()`, which follows the `clock` of a suite: it may be earlier). */
export type Token = { value: string; fetchedAt: number; renewAt: number; refreshToken?: string }

/** Connection settings; requests with the same settings share connections. */
export type ConnectionSettings = {
  insecure?: boolean
  http2?: boolean
  /** A URL, or `false` for none. @default the environment's (`HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY`) */
  proxy?: string | false | undefined
  tls?: TlsSettings
}

/** The client's certificate and the authorities it trusts, as PEM (`pfx`: PKCS #12). */
export type TlsSettings = {
  cert?: Uint8Array
  key?: Uint8Array
  pfx?: Uint8Array
  /** Trusted instead of the default authorities. */
  ca?: Uint8Array
  passphrase?: string
  /** The name the server's certificate must have, if it is not the URL's. */
  serverName?: string
}

/** Head of a response as received; header values are latin-1, as in Node's http and in fetch. */
export type ResponseHead = {
  statusCode: number
  statusText: string
  httpVersion: string
  headers: HeaderLines
}

export type ReceivedResponse = ResponseHead & {
  body: Uint8Array
  /** The size of the body as received, before content decoding, in bytes. */
  transferBytes: number
}

/** In ms, of the last request; phases that did not happen are absent. `total` covers all redirects, to the last byte. */
export type Timings = {
  dns?: number
  connect?: number
  tls?: number
  /** From sending the request to the first byte of the head. */
  ttfb?: number
  /** From the head to the last byte of the body. */
  download?: number
  /** How long the event loop was blocked meanwhile: `total` and the phases are too long by up to this. */
  blocked?: number
  total: number
}

/** Why there is no (complete) response. `message` has the method, URL, phase, elapsed time and code. */
export type RequestFailure = {
  phase: RequestPhase
  /** Underlying code such as `ECONNREFUSED`, `CERT_HAS_EXPIRED`, `TIMEOUT`, `INVALID_HTTP`. */
  code: string
  message: string
  /** Origin and reason of a failure before sending: the same for all requests that fail for this reason. */
  common?: string | undefined
}

export const phases = {
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

export type RequestPhase = keyof typeof phases

export type BodyReader = {
  /** Receives the head. Returns false if the body should be read as a whole. */
  begin(head: ResponseHead): boolean
  /** Receives a chunk. Returns true if it has enough, which closes the connection. */
  take(chunk: Uint8Array): boolean
  /** Called if the body ends before `take` has returned true; `reason` is absent if it ended normally. */
  end(reason?: Error): void
}

/** An event of a stream; `data` is parsed if it is JSON. */
export type StreamEvent = JsonObject & { event?: string; data: Json; id?: string; at_ms: number }

/** A message of a WebSocket; `data` is parsed if it is JSON, and base64 if it is binary. */
export type SocketMessage = {
  direction: 'sent' | 'received'
  type: 'text' | 'binary'
  data: Json
  at_ms: number
}

export type Redirect = {
  status_code: number
  method: string
  url: string
  /** As the server wrote it. */
  location: string
  /** The URL that was requested next. */
  target: string
  set_cookies?: string[]
}

/** Anything unusual about the connection of an exchange's last request. */
export type ConnectionNote = {
  proxy?: string
  insecure?: true
  http2?: true
}

/** A request that fetched credentials. It does not contain any itself. */
export type CredentialRequest = { method: string; url: string; status_code?: number; duration_ms: number }

/** One request and its `response` or `failure`; after a failure of the body both, with an empty body. */
export type Exchange = {
  request: SentRequest
  response?: ReceivedResponse
  failure?: RequestFailure
  redirects: Redirect[]
  /** Requests that fetched tokens or received a Digest challenge. */
  authRequests?: CredentialRequest[]
  timings: Timings
  connection?: ConnectionNote
  /** What the author should know although nothing failed, such as a rejected cookie. */
  warnings?: string[]
}

/** Header lines from alternating names and values. Trailing blanks are not part of values (RFC 9110, 5.5). */
export function pairLines(parts: readonly string[]): HeaderLines {
  const lines: [string, string][] = []
  for (let at = 1; at < parts.length; at += 2)
    lines.push([parts[at - 1] as string, (parts[at] as string).replace(/(?<![ \t])[ \t]+$/, '')])
  return lines
}

/** The first value of a header in any case. `name` must be in lower case. */
export function findHeader(headers: HeaderLines, name: string): string | undefined {
  return headers.find(([other]) => other.toLowerCase() === name)?.[1]
}

export function listHeader(headers: HeaderLines, name: string): string[] {
  return headers.filter(([other]) => other.toLowerCase() === name).map(([, value]) => value)
}

/** Groups values by `nameOf(name)`. A name that repeats has a list. */
export function groupValues<Value extends string | JsonObject>(
  pairs: Iterable<readonly [name: string, value: Value]>,
  nameOf = (name: string): string => name,
): Record<string, Value | Value[]> {
  const grouped: Record<string, Value | Value[]> = Object.create(null)
  for (const [written, value] of pairs) {
    const name = nameOf(written)
    const known = grouped[name]
    if (known === undefined) grouped[name] = value
    else if (Array.isArray(known)) known.push(value)
    else grouped[name] = [known, value]
  }
  return grouped
}

/** Headers as checks see them: names in lower case, a list for a name that repeats. */
export function groupHeaders(lines: HeaderLines): Record<string, string | string[]> {
  return markHeaders(groupValues(lines, (name) => name.toLowerCase()))
}

/** Headers in their original case, with repeated ones joined into one text. */
export function joinHeaders(lines: HeaderLines): Record<string, string> {
  const headers: Record<string, string> = Object.create(null)
  for (const [name, value] of lines)
    headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value
  return headers
}

/** Splits an absolute URL into its origin and the target for the request line. */
export function splitTarget(url: string): [origin: string, target: string] {
  const slash = url.indexOf('/', url.indexOf('://') + 3)
  return slash === -1 ? [url, '/'] : [url.slice(0, slash), url.slice(slash)]
}
