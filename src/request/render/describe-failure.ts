import { escapeControl } from '../../escape-control.ts'
import { cut } from '../../text/show-value.ts'
import { findHeader, phases } from '../exchange.ts'
import type { RequestFailure, RequestPhase, ResponseHead, SentRequest } from '../exchange.ts'
import { RequestProblem } from '../request-problem.ts'
import { maskCredentials } from '../transport/proxy.ts'

type Failed = {
  phase: RequestPhase
  error: Error
  request: Pick<SentRequest, 'method' | 'url'>
  /** Milliseconds. */
  elapsed: number
  answer?: { head: ResponseHead | undefined; received: number } | undefined
}

/** Failures in these phases usually affect all requests to a server. */
const unsent: ReadonlySet<RequestPhase> = new Set(['auth', 'resolve', 'connect', 'tls'])

/** Describes a failed request: what it did, what happened (shortened), the code, and what to do. */
export function describeFailure(failed: Failed): RequestFailure {
  const { phase, error, elapsed, answer } = failed
  const { method, url } = failed.request
  const code = readErrorCode(error, phase)
  const { headers = [] } = answer?.head ?? {}
  const [what, hint] = closedCodes.has(code)
    ? explainClosed(failed)
    : explain(code, error, { url: new URL(url), type: findHeader(headers, 'content-type') })
  const start = `${method} ${maskCredentials(url)} failed ${phases[phase]} after ${Math.round(elapsed)} ms`
  const told = `${escapeControl(cut(what, 4000))} (${code})${hint ? `. ${hint}` : ''}`
  const common = unsent.has(phase) ? `${new URL(url).origin}: ${told}` : undefined
  return { phase, code, message: `${start}: ${told}`, common }
}

type Explanation = [what: string, hint?: string | undefined]

const noTls: Explanation = [
  'the server does not speak TLS on this port',
  'Should the URL start with http://?',
]

const sayings: Record<string, Explanation> = {
  EAI_AGAIN: ['the name server did not answer', 'Is the network up?'],
  ETIMEDOUT: ['the host did not answer', 'Is it up, and is there a firewall in between?'],
  EHOSTUNREACH: ['the host cannot be reached', 'Is it up, and is there a firewall in between?'],
  ENETUNREACH: ['the network of the host cannot be reached', 'Is this machine online?'],
  EADDRNOTAVAIL: ['no local port is free', 'Too many connections are open at once; lower `concurrency`'],
  EMFILE: ['too many files and sockets are open', 'Raise the limit (`ulimit -n`) or lower `concurrency`'],
  ENFILE: ['too many files and sockets are open', 'Raise the limit of the system or lower `concurrency`'],
  UNEXPECTED_UPGRADE: ['the server switched to another protocol (status 101) although nothing asked for it'],
  CLIENT_CLOSED: ['the client was closed while the request was under way'],
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: [
    'the server does not speak the version of HTTP that it was offered',
    'With `http2: true`, only HTTP/2 is offered; without it, only HTTP/1.1. Turn it on or off',
  ],
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: [
    'the server asks for a client certificate',
    'Provide one with `tls: { cert, key }`',
  ],
  ERR_SSL_WRONG_VERSION_NUMBER: noTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: noTls,
}

/** Error codes that mean that the other side has closed the connection. */
export const closedCodes: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'CONNECTION_CLOSED'])

const certificate =
  /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_|HOSTNAME_MISMATCH|CRL_|INVALID_CA)/
const certificateWays: Record<string, string> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'Set `tls: { server_name }` to the name in the certificate',
  CERT_HAS_EXPIRED: 'Give the server a certificate that is currently valid',
  CERT_NOT_YET_VALID: 'Give the server a certificate that is currently valid',
}

function explain(
  code: string,
  error: Error,
  { url, type }: { url: URL; type: string | undefined },
): Explanation {
  if (code === 'ECONNREFUSED') {
    const port = url.port || (/^(?:https|wss):/.test(url.protocol) ? '443' : '80')
    return ['connection refused', `Is the server running on port ${port}?`]
  }
  if (code === 'ENOTFOUND')
    return [`the host name ${url.hostname} was not found`, 'Check `base_url` and the url of the step']
  if (code === 'TIMEOUT' && type?.startsWith('text/event-stream'))
    return [
      error.message,
      'An event stream may stay open: read it with `stream: { events: 3 }` beside `request`',
    ]
  if (Object.hasOwn(sayings, code)) return sayings[code] as Explanation
  if (certificate.test(code)) {
    const way = certificateWays[code] ?? 'Trust its issuer with `tls: { ca }`'
    return [
      `the certificate is not accepted: ${error.message}`,
      `${way}, or turn verification off with \`insecure\``,
    ]
  }
  if (code === 'INVALID_HTTP' || code.startsWith('HPE_'))
    return [`the response is not valid HTTP/1.1: ${readReason(error)}`]
  // OpenSSL puts numbers and file names around its reason.
  const what = 'reason' in error && typeof error.reason === 'string' ? error.reason : error.message
  return [what, error instanceof RequestProblem ? error.hint : undefined]
}

function explainClosed({ phase, error, answer }: Failed): Explanation {
  if (phase === 'body') {
    const announced = findHeader(answer?.head?.headers ?? [], 'content-length')
    const bytes = `${answer?.received ?? 0}${announced === undefined ? '' : ` of ${announced}`} bytes`
    return [`the connection was closed before the body was complete (received ${bytes})`]
  }
  const what = `the server ${/GOAWAY|^Session closed/.test(error.message) ? 'ended the HTTP/2 connection (GOAWAY)' : 'closed the connection'}`
  if (phase === 'tls') return [what, 'Does it speak TLS on this port?']
  if (phase !== 'head') return [what]
  return [
    `${what} without a response`,
    'The request may have been processed; only a `retry` without `on` sends it again',
  ]
}

const clientCodes = new Map([
  ['UND_ERR_SOCKET', 'CONNECTION_CLOSED'],
  ['ERR_HTTP2_SESSION_ERROR', 'CONNECTION_CLOSED'],
  ['UND_ERR_DESTROYED', 'CLIENT_CLOSED'],
  ['UND_ERR_CLOSED', 'CLIENT_CLOSED'],
])

/** The code of an error from the system, TLS or the parser. Generic codes of undici are replaced by ours. */
export function readErrorCode(error: Error, phase: RequestPhase): string {
  // undici drops the codes of its parser but keeps the reasons.
  if (error.name === 'HTTPParserError')
    return /eof state/i.test(error.message) ? 'CONNECTION_CLOSED' : 'INVALID_HTTP'
  const code = (error as { code?: unknown }).code
  if (typeof code !== 'string' || code === '') return 'UNKNOWN'
  // undici's words for a 100 that was not asked for.
  if (error.message === 'bad response') return 'INVALID_HTTP'
  // undici reports a 101 without a protocol in its head as an internal error.
  if ((code === 'UND_ERR_SOCKET' || code === 'ERR_ASSERTION') && /\bupgrade\b/.test(error.message))
    return 'UNEXPECTED_UPGRADE'
  // undici uses this code for every parser error after it has read a content-length.
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH')
    return phase === 'body' ? 'CONNECTION_CLOSED' : 'INVALID_HTTP'
  return clientCodes.get(code) ?? code
}

/** The parser's reason, without the text that undici or Node puts around it. */
function readReason({ message }: Error): string {
  // After it has read a content-length, undici reports nothing but this.
  if (message.startsWith('Response body length'))
    return 'its head is malformed after `content-length`, or it gives two lengths'
  return message.replace(/^Parse Error: |^Response does not match the HTTP\/1\.1 protocol \((.*)\)$/s, '$1')
}
