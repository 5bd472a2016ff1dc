import { escapeControl } from '../../escape-control.ts'
import { cut } from '../../text/show-value.ts'
import { phases } from '../exchange.ts'
import type { RequestFailure, RequestPhase, SentRequest } from '../exchange.ts'
import { RequestProblem } from '../request-problem.ts'

type Failed = {
  phase: RequestPhase
  error: Error
  request: Pick<SentRequest, 'method' | 'url'>
  elapsed: number
}

/** Failures in these phases usually affect all requests to a server. */
const unsent: ReadonlySet<RequestPhase> = new Set(['auth', 'resolve', 'connect', 'tls'])

/** Describes a failed request: what it did, what happened (shortened), the code, and what to do. */
export function describeFailure({ phase, error, request, elapsed }: Failed): RequestFailure {
  const { method, url } = request
  const code = readErrorCode(error, phase)
  const [what, hint] = closedCodes.has(code) ? explainClosed(phase) : explain(code, error, new URL(url))
  // The query can hold secrets too short to be searched for. The terminal fills it in, with these hidden by their names.
  const start = `${method} ${url.replace(/\?.+/s, '?…')} failed ${phases[phase]} after ${Math.round(elapsed)} ms`
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
  ETIMEDOUT: ['the host did not answer', 'Is it up, and is there a firewall in between?'],
  EADDRNOTAVAIL: ['no local port is free', 'Too many connections are open at once; lower `concurrency`'],
  EMFILE: ['too many files and sockets are open', 'Raise the limit (`ulimit -n`) or lower `concurrency`'],
  CERT_HAS_EXPIRED: ['the certificate has expired', 'Renew it, or turn verification off with `insecure`'],
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: [
    'the server does not speak the version of HTTP that it was offered',
    'Turn `http2` on or off: with it, only HTTP/2 is offered, without it, only HTTP/1.1',
  ],
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: [
    'the server asks for a client certificate',
    'Provide one with `tls: { cert, key }`',
  ],
  ERR_SSL_WRONG_VERSION_NUMBER: noTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: noTls,
}

export const closedCodes: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'CONNECTION_CLOSED'])

const certificate =
  /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_|HOSTNAME_MISMATCH|CRL_|INVALID_CA)/

function explain(code: string, error: Error, url: URL): Explanation {
  if (code === 'ECONNREFUSED') {
    const port = url.port || (/^(?:https|wss):/.test(url.protocol) ? '443' : '80')
    return ['connection refused', `Is the server running on port ${port}?`]
  }
  if (code === 'ENOTFOUND')
    return [`the host name ${url.hostname} was not found`, 'Check `base_url` and the url of the step']
  if (Object.hasOwn(sayings, code)) return sayings[code] as Explanation
  if (certificate.test(code))
    return [
      `the certificate is not accepted: ${error.message}`,
      'Trust its issuer with `tls: { ca }`, expect another name with `tls: { server_name }`, or turn verification off with `insecure`',
    ]
  if (code === 'INVALID_HTTP' || code.startsWith('HPE_'))
    return [`the response is not valid HTTP/1.1: ${readReason(error)}`]
  // OpenSSL puts numbers and file names around its reason. A host with several addresses has an error for each.
  const { message } = error instanceof AggregateError ? (error.errors[0] as Error) : error
  const what = 'reason' in error && typeof error.reason === 'string' ? error.reason : message
  return [what, error instanceof RequestProblem ? error.hint : undefined]
}

function explainClosed(phase: RequestPhase): Explanation {
  if (phase === 'body') return ['the connection was closed before the body was complete']
  const what = 'the server closed the connection'
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

/** undici's words for a 100 or 101 that was not asked for, the last one as an internal error. */
const unasked = /^bad response$|\bupgrade\b/

/** The code of an error from the system, TLS or the parser. Generic codes of undici are replaced by ours. */
export function readErrorCode(error: Error, phase: RequestPhase): string {
  // undici drops the codes of its parser but keeps the reasons.
  if (error.name === 'HTTPParserError')
    return /eof state/i.test(error.message) ? 'CONNECTION_CLOSED' : 'INVALID_HTTP'
  const code = (error as { code?: unknown }).code
  if (typeof code !== 'string' || code === '') return 'UNKNOWN'
  if (/^(?:UND_ERR_SOCKET|ERR_ASSERTION)$/.test(code) && unasked.test(error.message)) return 'INVALID_HTTP'
  // undici uses this code for every parser error after it has read a content-length.
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH')
    return phase === 'body' ? 'CONNECTION_CLOSED' : 'INVALID_HTTP'
  return clientCodes.get(code) ?? code
}

/** The parser's reason, without the text that undici or Node puts around it. */
function readReason({ message }: Error): string {
  if (unasked.test(message)) return 'it has a status 100 or 101 that was not asked for'
  // After it has read a content-length, undici reports nothing but this.
  if (message.startsWith('Response body length'))
    return 'its head is malformed after `content-length`, or it gives two lengths'
  return message.replace(/^Parse Error: |^Response does not match the HTTP\/1\.1 protocol \((.*)\)$/s, '$1')
}
