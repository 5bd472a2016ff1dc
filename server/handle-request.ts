import type { IncomingMessage, ServerResponse } from 'node:http'
import { dispatchRequest } from './dispatch.ts'
import { HttpProblem } from './http-problem.ts'
import type { Limits } from './limits.ts'
import { type Reply, replyError } from './reply.ts'
import { hasBody, NO_BODY, readBody } from './request/read-body.ts'
import { parseTarget } from './request/target.ts'
import { sendReply } from './send-reply.ts'
import { createState } from './state.ts'

/** Answers one request; errors that are not the client's go to `report`. */
export type Handler = (message: IncomingMessage, response: ServerResponse, report: Report) => Promise<void>
type Report = (error: unknown) => void

/** Makes the function that answers requests: reads the body, finds the route, sends what it returns. */
export function createHandler(limits: Limits): Handler {
  const state = createState()
  return async (message, response, report) => {
    try {
      checkProtocol(message, response)
      const body = hasBody(message) ? await readBody(message, limits.maxBody) : NO_BODY
      const { path, query } = parseTarget(message.url ?? '/')
      const method = message.method ?? 'GET'
      const found = dispatchRequest({
        message,
        response,
        method,
        path,
        query,
        params: {},
        body,
        limits,
        state,
      })
      const reply = found instanceof Promise ? await found : found
      await sendReply(response, reply)
    } catch (error) {
      // The client left: there is nobody to be answered.
      if (message.socket.destroyed) return
      const refusal = refuse(error, report)
      if (!message.complete) response.shouldKeepAlive = false
      if (response.headersSent) message.socket.destroy()
      else await sendReply(response, refusal)
      if (!message.complete) closeSoon(message)
    }
  }
}

/** RFC 9112, 2.3 and 3.2: a version that has heads, and exactly one Host with HTTP/1.1. */
function checkProtocol({ rawHeaders, httpVersion }: IncomingMessage, response: ServerResponse): void {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  if (httpVersion !== '0.9' && (hosts === 1 || (hosts === 0 && httpVersion === '1.0'))) return
  response.shouldKeepAlive = false
  if (httpVersion === '0.9') throw new HttpProblem(400, 'HTTP/0.9 is not supported')
  throw new HttpProblem(400, `expected one Host header, got ${hosts}`)
}

function refuse(error: unknown, report: Report): Reply {
  if (error instanceof HttpProblem) return replyError(error.status, error.message)
  if (error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_CHAR') {
    return replyError(400, 'a value of the request cannot be sent in a header')
  }
  report(error)
  return replyError(500, 'internal error')
}

const LINGER_MS = 1000

/** The rest of a refused body is read and dropped for a moment, so that the client sees the answer before the end. */
function closeSoon(message: IncomingMessage): void {
  message.resume()
  const timer = setTimeout(() => message.socket.destroy(), LINGER_MS)
  message.socket.once('close', () => clearTimeout(timer))
  message.once('end', () => message.socket.destroySoon())
}
