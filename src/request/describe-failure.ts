import { escapeControls } from './build-problem.ts'
import type { RequestFailure, RequestPhase } from './exchange.ts'
import type { Stop } from './progress.ts'
import { maskCredentials } from './proxy.ts'

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

type Facts = { method: string; url: string; phase: RequestPhase; elapsed: number; received?: number }

/** Puts a failed request into one sentence: method, URL, phase, elapsed time, what happened, its code, what to do. */
export function describeFailure(facts: Facts, error: Error | Stop): RequestFailure {
  const code = readCode(error)
  const [what, hint] = explain(code, facts, error)
  const start = `${facts.method} ${maskCredentials(facts.url)} failed ${phases[facts.phase]} after ${Math.round(facts.elapsed)} ms`
  const message = `${start}: ${escapeControls(what)} (${code})${hint ? `. ${hint}` : ''}`
  return { phase: facts.phase, code, message }
}

const codes: Record<string, string> = {
  UND_ERR_SOCKET: 'CONNECTION_CLOSED',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'BODY_TOO_SHORT',
  UND_ERR_DESTROYED: 'CLIENT_CLOSED',
  UND_ERR_CLOSED: 'CLIENT_CLOSED',
  UND_ERR_HEADERS_OVERFLOW: 'TRAILERS_TOO_LARGE',
}

/** The system's, TLS library's or parser's own code; ours where undici only has a name of its own. */
function readCode(error: Error | Stop): string {
  const code = (error as { code?: unknown }).code
  if (typeof code !== 'string' || code === '') return 'UNKNOWN'
  if (code === 'UND_ERR_SOCKET' && error.message === 'bad upgrade') return 'UNEXPECTED_UPGRADE'
  return Object.hasOwn(codes, code) ? (codes[code] as string) : code
}

type Explanation = [what: string, hint?: string]

function explain(code: string, facts: Facts, error: Error | Stop): Explanation {
  const url = new URL(facts.url)
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  switch (code) {
    case 'ECONNREFUSED':
      return ['connection refused', `Is the server running on port ${port}?`]
    case 'ENOTFOUND':
      return [`the host name ${url.hostname} does not exist`, 'Check `base_url` and the url of the step']
    case 'EAI_AGAIN':
      return [`the name server did not answer for ${url.hostname}`, 'Is the network up?']
    case 'ECONNRESET':
    case 'EPIPE':
    case 'CONNECTION_CLOSED':
      return explainClosed(facts)
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return [`${url.host} cannot be reached`, 'Is the host up, and is a firewall in between?']
    case 'EADDRNOTAVAIL':
      return ['no local port is free', 'Too many connections are open at once; lower `maxWorkers`']
    case 'EMFILE':
    case 'ENFILE':
      return ['too many files and sockets are open', 'Raise the limit (`ulimit -n`) or lower `maxWorkers`']
    case 'BODY_TOO_SHORT':
      return [`the body ended before the length its head announces (${facts.received ?? 0} bytes came)`]
    case 'UNEXPECTED_UPGRADE':
      return ['the server switched to another protocol (status 101) although nothing asked for it']
    case 'CLIENT_CLOSED':
      return ['the client was closed while the request was under way']
    case 'TRAILERS_TOO_LARGE':
      return ['the head or the trailers of the response are larger than 1 MiB']
    default:
      return explainOther(code, error)
  }
}

function explainClosed({ phase, received }: Facts): Explanation {
  if (phase === 'body')
    return [`the connection was closed before the body was complete (${received ?? 0} bytes came)`]
  if (phase === 'tls') return ['the server closed the connection', 'Does it speak TLS on this port?']
  if (phase === 'head') {
    return [
      'the server closed the connection without an answer',
      'The request may have been processed and is not sent again',
    ]
  }
  return ['the server closed the connection']
}

const certificateCodes =
  /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_|HOSTNAME_MISMATCH|CRL_|INVALID_CA)/

function explainOther(code: string, error: Error | Stop): Explanation {
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG') {
    return ['the server does not speak TLS on this port', 'Should the URL start with http:// ?']
  }
  if (certificateCodes.test(code)) {
    return [
      `the certificate is not accepted: ${error.message}`,
      'Trust its issuer through NODE_EXTRA_CA_CERTS, or turn verification off with `insecure`',
    ]
  }
  if (code.startsWith('HPE_')) return [`the answer is not valid HTTP/1.1: ${error.message}`]
  return 'hint' in error && error.hint !== undefined ? [error.message, error.hint] : [error.message]
}
