import Koa from 'koa'
import { createDispatcher } from './dispatch.ts'
import { HttpProblem } from './http-problem.ts'
import { type EchoOptions, resolveLimits } from './limits.ts'
import { type Reply, replyError } from './reply.ts'
import { hasBody, NO_BODY, readBody } from './request/read-body.ts'
import { parseTarget } from './request/target.ts'
import { routes } from './routes/index.ts'
import { sendReply } from './send-reply.ts'
import { createState } from './state.ts'

/**
 * The echo server as a Koa application without a port: for `app.callback()`, supertest, or a server of your own.
 * Every call has its own state (`/flaky`, `/sequence`).
 * @throws TypeError when an option is out of range
 */
export function createApp(options: EchoOptions = {}): Koa {
  const limits = resolveLimits(options)
  const state = createState()
  const dispatch = createDispatcher(routes)
  const app = new Koa()
  app.use(async (ctx) => {
    ctx.respond = false
    const { req: message, res: response } = ctx
    const target = parseTarget(message.url ?? '/')
    let reply: Reply
    try {
      const body = hasBody(message) ? await readBody(message, limits.maxBody) : NO_BODY
      const found = dispatch({
        message,
        ...target,
        method: message.method ?? 'GET',
        params: {},
        body,
        limits,
        state,
        response,
      })
      reply = found instanceof Promise ? await found : found
    } catch (error) {
      if (response.destroyed) return
      if (!(error instanceof HttpProblem)) ctx.app.emit('error', error, ctx)
      reply =
        error instanceof HttpProblem
          ? replyError(error.status, error.message)
          : replyError(500, 'internal error')
      if (!message.complete) closeAfterwards(ctx)
    }
    await sendReply(response, reply)
  })
  return app
}

const LINGER_MS = 1000

/** The rest of a refused body is read and dropped for a moment, so that the client sees the answer before the end. */
function closeAfterwards({ req, res }: Koa.Context): void {
  res.shouldKeepAlive = false
  req.resume()
  const timer = setTimeout(() => req.destroy(), LINGER_MS)
  req.once('close', () => clearTimeout(timer))
}
