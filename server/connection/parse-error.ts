import { createNotAllowed, createNotFound } from '../answer.ts'
import type { EchoRouter } from '../context.ts'
import { HttpProblem } from '../http-problem.ts'
import { normaliseTarget } from '../request/url.ts'

/** What Node says of bytes that it could not parse. */
export interface ParseError extends Error {
  code?: string
  rawPacket?: Buffer
  bytesParsed?: number
}

const PROBLEMS: Record<string, HttpProblem> = {
  HPE_HEADER_OVERFLOW: new HttpProblem(431, 'the head of the request is larger than 16 KB'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new HttpProblem(413, 'the chunk extensions are larger than 16 KB'),
  ERR_HTTP_REQUEST_TIMEOUT: new HttpProblem(408, 'the request took too long to arrive'),
}

/** What is answered to bytes that are not a request: 4xx whatever they are. */
export function explainParseError(error: ParseError, router: EchoRouter): HttpProblem {
  const line = error.code === 'HPE_INVALID_METHOD' ? readRequestLine(error) : undefined
  if (line) return refuseMethod(line, router)
  const reason = error.message.replace(/^Parse Error: ?/, '')
  return PROBLEMS[error.code ?? ''] ?? new HttpProblem(400, `this is not an HTTP/1.1 request: ${reason}`)
}

/** A method that Node does not know; nothing but its request line is read. */
function refuseMethod(
  { method, target }: { method: string; target: string },
  router: EchoRouter,
): HttpProblem {
  const path = normaliseTarget(target).replace(/\?.*/s, '')
  const methods = router.match(path, method).path.flatMap((layer) => layer.methods)
  return methods.length === 0 ? createNotFound(target) : createNotAllowed(method, new Set(methods))
}

/** The request line at which the parser stopped, if it is one but for its method. */
function readRequestLine({
  rawPacket,
  bytesParsed = 0,
}: ParseError): { method: string; target: string } | undefined {
  if (!rawPacket) return undefined
  const start = bytesParsed === 0 ? 0 : rawPacket.lastIndexOf(0x0a, bytesParsed - 1) + 1
  const text = rawPacket.toString('latin1', start, start + 8192)
  const match = /^([A-Z][A-Z0-9$_.!#%&'*+^`|~-]{0,30}) (\/[!-~\x80-\xff]*) HTTP\/1\.[01]\r?\n/i.exec(text)
  return match ? { method: match[1] ?? '', target: match[2] ?? '' } : undefined
}
