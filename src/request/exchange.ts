/** Header lines in the order they were on the wire, names in the case they had there; a name may repeat. */
export type HeaderLines = readonly (readonly [name: string, value: string])[]

/** A request ready to be sent: everything interpolated, encoded and joined. */
export type RequestSpec = {
  method: string
  /** Absolute http(s) URL, percent-encoded as it will be sent. */
  url: string
  headers: HeaderLines
  /** Exact bytes of the body; absent when there is none. */
  body?: Uint8Array
  /** Limit in ms over connect, head and whole body, redirects included. */
  timeout: number
  /** How many redirects to follow; 0 hands a 3xx to the assertions. */
  maxRedirects: number
}

/** A request as it went over the wire. */
export type SentRequest = {
  method: string
  url: string
  headers: HeaderLines
  body?: Uint8Array
}

/** A response with its whole body. */
export type ReceivedResponse = {
  statusCode: number
  statusText: string
  httpVersion: string
  headers: HeaderLines
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
  total: number
}

/** Where in its life a request failed. */
export type RequestPhase =
  | 'build'
  | 'resolve'
  | 'connect'
  | 'tls'
  | 'send'
  | 'head'
  | 'body'
  | 'decode'
  | 'redirect'

/** Why no (whole) response came. `message` is a sentence with method, URL, phase, code and elapsed time. */
export type RequestFailure = {
  phase: RequestPhase
  /** Underlying code such as `ECONNREFUSED`, `CERT_HAS_EXPIRED`, `TIMEOUT`, `HPE_INVALID_CONSTANT`. */
  code: string
  message: string
}

/** One redirect that was followed. */
export type Redirect = { statusCode: number; method: string; url: string; location: string }

/** One request and what came of it. `response` and `failure` exclude each other, except that a failure in body or decode keeps the head (with an empty body: a broken body is never judged). */
export type Exchange = {
  /** The author's request, so the first one when redirects were followed. */
  request: SentRequest
  response?: ReceivedResponse
  failure?: RequestFailure
  redirects: Redirect[]
  timings: Timings
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

/** First value of a header, its name in any case. */
export function findHeader(headers: HeaderLines, name: string): string | undefined {
  return headers.find(([other]) => other.toLowerCase() === name)?.[1]
}

/** Splits an absolute URL into its origin and what goes into the request line. */
export function splitTarget(url: string): [origin: string, target: string] {
  const slash = url.indexOf('/', url.indexOf('://') + 3)
  return slash === -1 ? [url, '/'] : [url.slice(0, slash), url.slice(slash)]
}
