import { escapeControl } from '../escape-control.ts'
import type { RequestFailure, RequestPhase } from './exchange.ts'
import type { Stop } from './progress.ts'
import { maskCredentials } from './proxy.ts'
import { readErrorCode, readReason } from './read-error-code.ts'

const phases: Record<RequestPhase, string> = {
  build: 'while building the request',
  resolve: 'while resolving the host name',
  connect: 'while connecting',
  tls: 'in the TLS handshake',
  send: 'while sending the request',
  head: 'while waiting for the response head',
  body: 'while receiving the body',
  decode: 'while decoding the body',
  redirect: 'while following a redirect',
}

type Facts = {
  method: string
  url: string
  phase: RequestPhase
  /** Milliseconds. */
  elapsed: number
  /** Bytes of the body that came, and that its head announced. */
  received: number
  announced: string | undefined
}

/** Puts a failed request into words: method, URL, phase, elapsed time, what happened, its code, what to do. */
export function describeFailure(facts: Facts, error: Error | Stop): RequestFailure {
  const { method, url, phase, elapsed } = facts
  const code = readErrorCode(error, phase)
  const [what, hint] = explain(code, facts, error)
  const start = `${method} ${maskCredentials(url)} failed ${phases[phase]} after ${Math.round(elapsed)} ms`
  return { phase, code, message: `${start}: ${escapeControl(what)} (${code})${hint ? `. ${hint}` : ''}` }
}

type Explanation = [what: string, hint?: string | undefined]

const sayings: Record<string, Explanation> = {
  EAI_AGAIN: ['the name server did not answer', 'Is the network up?'],
  ETIMEDOUT: ['the host did not answer', 'Is it up, and is a firewall in between?'],
  EHOSTUNREACH: ['the host cannot be reached', 'Is it up, and is a firewall in between?'],
  ENETUNREACH: ['the network of the host cannot be reached', 'Is this machine online?'],
  EADDRNOTAVAIL: ['no local port is free', 'Too many connections are open at once; lower `concurrency`'],
  EMFILE: ['too many files and sockets are open', 'Raise the limit (`ulimit -n`) or lower `concurrency`'],
  ENFILE: ['too many files and sockets are open', 'Raise the limit of the system or lower `concurrency`'],
  UNEXPECTED_UPGRADE: ['the server switched to another protocol (status 101) although nothing asked for it'],
  CLIENT_CLOSED: ['the client was closed while the request was under way'],
  TRAILERS_TOO_LARGE: ['the trailers after the body are larger than 1 MiB'],
  HPE_UNEXPECTED_CONTENT_LENGTH: [
    'the head announces the length of the body in ways that contradict each other',
  ],
  ERR_SSL_WRONG_VERSION_NUMBER: [
    'the server does not speak TLS on this port',
    'Should the URL start with http:// ?',
  ],
  ERR_SSL_PACKET_LENGTH_TOO_LONG: [
    'the server does not speak TLS on this port',
    'Should the URL start with http:// ?',
  ],
}

const closed = new Set(['ECONNRESET', 'EPIPE', 'CONNECTION_CLOSED'])
const certificate =
  /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_|HOSTNAME_MISMATCH|CRL_|INVALID_CA)/

function explain(code: string, facts: Facts, error: Error | Stop): Explanation {
  const url = new URL(facts.url)
  if (code === 'ECONNREFUSED') {
    const port = url.port || (url.protocol === 'https:' ? '443' : '80')
    return ['connection refused', `Is the server running on port ${port}?`]
  }
  if (code === 'ENOTFOUND') {
    return [`the host name ${url.hostname} was not found`, 'Check `base_url` and the url of the step']
  }
  if (closed.has(code)) return explainClosed(facts)
  if (Object.hasOwn(sayings, code)) return sayings[code] as Explanation
  if (certificate.test(code)) {
    return [
      `the certificate is not accepted: ${error.message}`,
      'Trust its issuer through NODE_EXTRA_CA_CERTS, or turn verification off with `insecure`',
    ]
  }
  if (code.startsWith('HPE_')) return [`the answer is not valid HTTP/1.1: ${readReason(error)}`]
  return [error.message, 'hint' in error ? error.hint : undefined]
}

function explainClosed({ phase, received, announced }: Facts): Explanation {
  switch (phase) {
    case 'body': {
      const bytes = announced === undefined ? `${received} bytes` : `${received} of ${announced} bytes`
      return [`the connection was closed before the body was complete (${bytes} came)`]
    }
    case 'tls':
      return ['the server closed the connection', 'Does it speak TLS on this port?']
    case 'head':
      return [
        'the server closed the connection without an answer',
        'The request may have been processed and is not sent again',
      ]
    default:
      return ['the server closed the connection']
  }
}
