import { IncomingMessage, ServerResponse } from 'node:http'
import Koa from 'koa'
import { createHandler, type Handler } from './handle-request.ts'
import { type EchoOptions, resolveLimits } from './limits.ts'

/**
 * The echo server as a Koa application without a port: for `app.callback()`, supertest, or a server of your own.
 * Every application has its own state (`/flaky`, `/sequence`). What never becomes a request – broken bytes, WebSocket
 * handshakes, slow heads – is the business of the server that listens: `startServer` takes care of it.
 * @throws TypeError when an option is out of range
 */
export function createApp(options: EchoOptions = {}): Koa {
  return new EchoApp(createHandler(resolveLimits(options)))
}

class EchoApp extends Koa {
  private readonly handle: Handler

  constructor(handle: Handler) {
    super()
    this.handle = handle
    this.use((ctx) => {
      // Answers are written by sendReply. The handler reports its own errors; the others that Koa hears of are
      // connections that broke, which is the business of their clients.
      Object.assign(ctx, { respond: false, onerror: ignoreBrokenConnection })
      return handle(ctx.req, ctx.res, (error) => this.emit('error', error, ctx))
    })
  }

  /** Where nobody has added middleware, nobody reads Koa's context: it is not made, which is a fifth of the time. */
  override callback(): ReturnType<Koa['callback']> {
    const callback = super.callback()
    if (this.middleware.length > 1) return callback
    const report = (error: unknown): void => void this.emit('error', error)
    return (message, response) => {
      const isHttp1 = message instanceof IncomingMessage && response instanceof ServerResponse
      return isHttp1 ? this.handle(message, response, report) : callback(message, response)
    }
  }
}

function ignoreBrokenConnection(): void {
  // Nobody is left to be answered, and nothing went wrong here.
}
