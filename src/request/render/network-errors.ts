import type { RequestPhase, Stop } from '../exchange.ts'

/** undici hides llhttp's codes and keeps its reasons; these are the codes Node reports for them. */
const parserCodes: [reason: RegExp, code: string][] = [
  [/expected http/i, 'HPE_INVALID_CONSTANT'],
  [/version|expected dot/i, 'HPE_INVALID_VERSION'],
  [/duplicate content-length|can't be present/i, 'HPE_UNEXPECTED_CONTENT_LENGTH'],
  [/content-length/i, 'HPE_INVALID_CONTENT_LENGTH'],
  [/transfer-encoding/i, 'HPE_INVALID_TRANSFER_ENCODING'],
  [/status/i, 'HPE_INVALID_STATUS'],
  [/chunk/i, 'HPE_INVALID_CHUNK_SIZE'],
  [/header/i, 'HPE_INVALID_HEADER_TOKEN'],
  [/eof state/i, 'CONNECTION_CLOSED'],
  [/./, 'HPE_STRICT'],
]

const clientCodes = new Map([
  ['UND_ERR_SOCKET', 'CONNECTION_CLOSED'],
  ['UND_ERR_DESTROYED', 'CLIENT_CLOSED'],
  ['UND_ERR_CLOSED', 'CLIENT_CLOSED'],
  ['UND_ERR_HEADERS_OVERFLOW', 'TRAILERS_TOO_LARGE'],
])

/** The code of an error: the system's, the TLS library's or the parser's own, ours where undici only has a name of its own. */
export function readErrorCode(error: Error | Stop, phase: RequestPhase): string {
  if ('name' in error && error.name === 'HTTPParserError') {
    return parserCodes.find(([reason]) => reason.test(readReason(error)))?.[1] ?? 'HPE_STRICT'
  }
  const code = (error as { code?: unknown }).code
  if (typeof code !== 'string' || code === '') return 'UNKNOWN'
  if (code === 'UND_ERR_SOCKET' && error.message === 'bad upgrade') return 'UNEXPECTED_UPGRADE'
  // undici gives every parser error this name once a content-length was read.
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') {
    return phase === 'body' ? 'CONNECTION_CLOSED' : 'HPE_UNEXPECTED_CONTENT_LENGTH'
  }
  return clientCodes.get(code) ?? code
}

/** The parser's reason without undici's words around it. */
export function readReason(error: Error | Stop): string {
  return (
    /^Response does not match the HTTP\/1\.1 protocol \((.*)\)$/s.exec(error.message)?.[1] ?? error.message
  )
}
