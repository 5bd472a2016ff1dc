import { HttpProblem } from '../http-problem.ts'
import { type Reply, replyError } from '../reply.ts'
import { parseTarget } from '../request/target.ts'

/** What Node says of bytes that it could not parse. */
export interface ParseError extends Error {
  code?: string
  rawPacket?: Buffer
  bytesParsed?: number
}

/** Answers a method that Node does not know, by decoded path. */
export type AnswerUnknownMethod = (method: string, path: string) => Reply

const PROBLEMS: Record<string, HttpProblem> = {
  HPE_HEADER_OVERFLOW: new HttpProblem(431, 'the head of the request is larger than 16 KB'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new HttpProblem(413, 'the chunk extensions are larger than 16 KB'),
  ERR_HTTP_REQUEST_TIMEOUT: new HttpProblem(408, 'the request took too long to arrive'),
}

/** The answer to bytes that are not a request: 4xx whatever they are. */
export function replyParseError(error: ParseError, answerUnknownMethod: AnswerUnknownMethod): Reply {
  const problem = PROBLEMS[error.code ?? '']
  if (problem) return replyError(problem.status, problem.message)
  const line = error.code === 'HPE_INVALID_METHOD' ? readRequestLine(error) : undefined
  if (line) return answerUnknownMethod(line.method, parseTarget(line.target).path)
  return replyError(400, `this is not an HTTP/1.1 request: ${error.message.replace(/^Parse Error: ?/, '')}`)
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
