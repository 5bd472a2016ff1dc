import type { Middleware } from 'koa'
import { sendDocument, sendEmpty, type EchoContext, type EchoState } from './context.ts'
import { HttpProblem } from './http-problem.ts'
import { printJson } from './json.ts'
import type { Limits } from './limits.ts'
import { hasBody, readBody } from './request/body.ts'
import { normaliseTarget, parseTarget } from './request/url.ts'

/** CORS as in httpbin, the server's name, and `nosniff`, so that no browser renders what a client sent. */
export const COMMON_HEADERS: Map<string, string> = new Map([
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Allow-Credentials', 'true'],
  ['X-Content-Type-Options', 'nosniff'],
  ['Server', 'suitecase'],
])
const CLOSE = { Connection: 'close' }

/** Middleware for all routes: the headers of every response, unknown paths and methods, errors as JSON, and data printed as httpbin prints it. */
export function createAnswering(limits: Limits): Middleware<EchoState, EchoContext> {
  return async (ctx, next) => {
    try {
      setCommonHeaders(ctx)
      checkProtocol(ctx)
      ctx.url = normaliseTarget(ctx.url)
      await next()
      if (ctx.status === 404 && ctx.body === undefined && ctx.respond !== false) {
        // Otherwise no request could follow a body that nobody has read.
        if (hasBody(ctx.req) && !ctx.req.readableDidRead) await readBody(ctx.req, limits.maxBody)
        answerUnmatched(ctx)
      }
      printData(ctx)
    } catch (error) {
      answerError(ctx, error)
    }
  }
}

function setCommonHeaders(ctx: EchoContext): void {
  const { origin, 'access-control-request-headers': asked } = ctx.req.headers
  ctx.res.setHeaders(COMMON_HEADERS)
  if (origin !== undefined) ctx.set('Access-Control-Allow-Origin', origin)
  if (ctx.method !== 'OPTIONS') return
  ctx.set('Access-Control-Allow-Methods', 'GET, POST, PUT, DELETE, PATCH, OPTIONS')
  ctx.set('Access-Control-Max-Age', '3600')
  if (asked !== undefined) ctx.set('Access-Control-Allow-Headers', asked)
}

/** Requires exactly one Host with HTTP/1.1, and no transfer coding but chunked (RFC 9112, 3.2 and 6.1). */
function checkProtocol({ req }: EchoContext): void {
  // Node's `headersDistinct` would build lists of all headers.
  const hosts = req.rawHeaders.filter((name, index) => index % 2 === 0 && /^host$/i.test(name)).length
  if (hosts > 1 || (hosts === 0 && req.httpVersion !== '1.0'))
    throw new HttpProblem(400, `expected one Host header, got ${hosts}`, CLOSE)
  const coding = req.headers['transfer-encoding'] ?? 'chunked'
  if (coding.toLowerCase() !== 'chunked')
    throw new HttpProblem(400, `expected no transfer coding but chunked, got "${coding}"`, CLOSE)
}

function answerUnmatched(ctx: EchoContext): void {
  const methods = new Set(ctx.matched?.flatMap((layer) => layer.methods))
  if (methods.size === 0 || methods.has(ctx.method))
    throw new HttpProblem(404, `there is nothing at ${parseTarget(ctx.originalUrl).path}`)
  // In httpbin's order.
  const order =
    methods.size > 3 ? 'PATCH HEAD POST PUT GET TRACE DELETE' : 'GET HEAD POST PUT PATCH DELETE TRACE'
  const Allow = [...order.split(' ').filter((method) => methods.has(method)), 'OPTIONS'].join(', ')
  if (ctx.method !== 'OPTIONS') throw new HttpProblem(405, `${ctx.method} is not allowed here`, { Allow })
  sendEmpty(ctx)
  ctx.set({ Allow })
}

/** Prints data set by any middleware as httpbin does, without the charset that Koa adds to its type. */
function printData({ response }: EchoContext): void {
  const { body } = response
  if (typeof body !== 'object' || body === null) return
  const prototype: unknown = Object.getPrototypeOf(body)
  const isData = prototype === Object.prototype || prototype === null || body instanceof Map
  if (!isData && !Array.isArray(body)) return
  const text = `${printJson(body)}\n`
  if (response.get('Content-Type') !== 'application/json') response.set('Content-Type', response.type)
  // The text is ASCII. If it is long, bytes are sent much faster.
  response.body = text.length > 65_536 ? Buffer.from(text, 'latin1') : text
}

function answerError(ctx: EchoContext, error: unknown): void {
  // The client has left, so there is nobody to answer.
  if (ctx.req.socket.destroyed) return
  const refusal = readRefusal(error)
  if (!refusal) ctx.app.emit('error', error, ctx)
  if (ctx.headerSent) {
    ctx.req.socket.destroy()
    return
  }
  ctx.set(refusal?.headers ?? {})
  ctx.status = refusal?.status ?? 500
  const text = `${printJson({ error: refusal?.message ?? 'internal error' })}\n`
  sendDocument(ctx, 'application/json', text)
  if (!ctx.req.complete) answerSender(ctx, text)
}

/** Answers a client that is still sending. It gets a moment to read: otherwise it would only see a broken connection. */
function answerSender(ctx: EchoContext, text: string): void {
  ctx.set(CLOSE)
  ctx.respond = false
  // First, Node parses all that has arrived: it may be no request after all.
  queueMicrotask(() => {
    ctx.res.write(text)
    ctx.req.resume().once('end', () => ctx.res.end())
    setTimeout(() => ctx.res.end(), 1000).unref()
  })
}

/** An error meant for the client: our own, or one from `ctx.throw`. */
function readRefusal(error: unknown): Pick<HttpProblem, 'status' | 'message' | 'headers'> | undefined {
  if (!(error instanceof Error)) return undefined
  if ('code' in error && error.code === 'ERR_INVALID_CHAR')
    return new HttpProblem(400, 'a value of the request cannot be sent in a header')
  return 'expose' in error && error.expose === true ? (error as HttpProblem) : undefined
}
