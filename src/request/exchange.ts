import type { Json, JsonObject } from '../json.ts'

/** Header lines in the order and case they had on the wire; a name may repeat. */
export type HeaderLines = readonly (readonly [name: string, value: string])[]

/** A single request as sent over the wire, without its redirects. */
export type SentRequest = {
  method: string
  /** Absolute http(s) URL, percent-encoded. */
  url: string
  headers: HeaderLines
  /** Exact bytes of the body; absent if there is none. */
  body?: Uint8Array | undefined
}

/** A request ready to be sent: everything interpolated, encoded and joined. */
export type RequestSpec = SentRequest & {
  /** True if no cookies from the jar are sent, because the author set the header to null. */
  withoutJar?: true
  /** Limit in ms for connecting, head and whole body, redirects included. */
  timeout: number
  /** The author's name for that limit. @default 'timeout' */
  timeoutName?: string
  /** Number of redirects to follow; 0 passes a 3xx to the assertions. */
  maxRedirects: number
  /** Adds credentials to the request as long as it stays on its original origin. */
  auth?: Authorizer
  connection?: ConnectionSettings | undefined
}

/** Adds credentials to requests. */
export type Authorizer = {
  /** Lower-case names of the headers it writes; the author must not write them too. */
  headers?: readonly string[]
  /** The query parameter it writes. */
  param?: string
  /** The request with credentials; an error that it throws fails the request. */
  authorize(request: SentRequest, context: AuthContext): SentRequest | Promise<SentRequest>
  /** The request to send after an answer that asks for other credentials, made from the one without any, or a text why there is none; undefined accepts the answer. */
  answer?: (request: SentRequest, head: ResponseHead) => SentRequest | string | undefined
}

/** What fetching credentials needs: a way to send requests, which the exchange records, and the tokens shared by the run. */
export type AuthContext = {
  send(spec: RequestSpec): Promise<Exchange>
  /** Tokens by a hash of the settings they were requested with. */
  tokens: Map<string, Promise<Token>>
  timeout: number
}

/** A fetched token, and when to renew it: by `performance.now()`, or by `Date.now()` if that comes first. */
export type Token = { value: string; renewAt: number[]; refreshToken?: string }

/** Connection settings; requests with the same settings share connections. */
export type ConnectionSettings = {
  /** True accepts any TLS certificate. */
  insecure?: boolean
  /** True uses HTTP/2 only. */
  http2?: boolean
  /** A URL, or `false` for none. @default the environment's (`HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY`) */
  proxy?: string | false | undefined
  tls?: TlsSettings
}

/** The client's certificate and the authorities it trusts, as PEM. */
export type TlsSettings = {
  cert?: Uint8Array
  key?: Uint8Array
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

/** A response with its whole body. */
export type ReceivedResponse = ResponseHead & {
  /** Body after content decoding (gzip …). */
  body: Uint8Array
  /** Bytes of the body on the wire, before content decoding. */
  transferBytes: number
}

/** Durations in ms, measured by the client. A phase that did not happen (kept-alive socket, http) is absent. After redirects, phases are those of the last request; `total` covers all, up to the last byte: without decoding, and without the wait for other suites. */
export type Timings = {
  dns?: number
  connect?: number
  tls?: number
  /** From the request being sent to the first byte of the head. */
  ttfb?: number
  /** From the head to the last byte of the body. */
  download?: number
  /** How long the event loop was blocked meanwhile: `total` and the phases are too long by up to this. */
  blocked?: number
  total: number
}

/** Why there was no (complete) response. `message` is a sentence with method, URL, phase, code and elapsed time. */
export type RequestFailure = {
  phase: RequestPhase
  /** Underlying code such as `ECONNREFUSED`, `CERT_HAS_EXPIRED`, `TIMEOUT`, `INVALID_HTTP`. */
  code: string
  message: string
  /** What the failures of all requests to this server say that could not be sent for the same reason: its origin and the reason. */
  common?: string | undefined
}

/** Phases in which a request may fail, and what it was doing then. */
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

/** The phase in which a request failed. */
export type RequestPhase = keyof typeof phases

/** Reads the body of an answer as it arrives. */
export type BodyReader = {
  /** Receives the head; false means that the body is to be read as a whole. */
  begin(head: ResponseHead): boolean
  /** Receives a chunk; true means enough, which closes the connection. */
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

/** One redirect that was followed. */
export type Redirect = {
  status_code: number
  method: string
  url: string
  location: string
  /** Names of the cookies it set. */
  set_cookies?: string[]
}

/** Anything unusual about the connection of an exchange's last request. */
export type ConnectionNote = {
  /** Host and port of the proxy it went through. */
  proxy?: string
  /** Present if no certificate was verified. */
  insecure?: true
  /** Present if HTTP/2 was requested. */
  http2?: true
}

/** A request that was sent to get credentials; contains none itself. */
export type CredentialRequest = { method: string; url: string; status_code?: number; duration_ms: number }

/** One request and its result. `response` and `failure` exclude each other, except that a failure in body or decode keeps the head (with an empty body: a broken body is never judged). */
export type Exchange = {
  /** The author's request: the first one if redirects were followed. */
  request: SentRequest
  response?: ReceivedResponse
  failure?: RequestFailure
  redirects: Redirect[]
  /** Requests sent to get credentials: for tokens, or answered with a Digest challenge. */
  authRequests?: CredentialRequest[]
  timings: Timings
  connection?: ConnectionNote
  /** What the author should know although nothing failed, such as a rejected cookie. */
  warnings?: string[]
}

/** Default for the most bytes of a body, both on the wire and after content decoding: 50 MB. */
export const defaultBodyLimit = 50 * 1024 * 1024

/** Header lines from alternating names and values; trailing blanks are not part of a value (RFC 9110, 5.5). */
export function pairLines(parts: readonly string[]): HeaderLines {
  const lines: [string, string][] = []
  for (let at = 1; at < parts.length; at += 2)
    lines.push([parts[at - 1] as string, (parts[at] as string).replace(/(?<![ \t])[ \t]+$/, '')])
  return lines
}

/** First value of a header. `name` is in lower case and matches any case. */
export function findHeader(headers: HeaderLines, name: string): string | undefined {
  return headers.find(([other]) => other.toLowerCase() === name)?.[1]
}

/** All values of a header. `name` is in lower case and matches any case. */
export function listHeader(headers: HeaderLines, name: string): string[] {
  return headers.filter(([other]) => other.toLowerCase() === name).map(([, value]) => value)
}

/** Values by name, as `nameOf` has it; a repeated name has a list. */
export function groupValues(
  pairs: Iterable<readonly [name: string, value: string]>,
  nameOf = (name: string): string => name,
): Record<string, string | string[]> {
  const grouped: Record<string, string | string[]> = Object.create(null)
  for (const [written, value] of pairs) {
    const name = nameOf(written)
    const known = grouped[name]
    if (known === undefined) grouped[name] = value
    else if (typeof known === 'string') grouped[name] = [known, value]
    else known.push(value)
  }
  return grouped
}

/** Headers as checks see them: lower-case names, a list for a repeated one. */
export function groupHeaders(lines: HeaderLines): Record<string, string | string[]> {
  return groupValues(lines, (name) => name.toLowerCase())
}

/** Headers in the case they were sent, each joined into one text. */
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
