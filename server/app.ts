import Koa from 'koa'
import { createHandler } from './handle-request.ts'
import { type EchoOptions, resolveLimits } from './limits.ts'

/**
 * The echo server as a Koa application without a port: for `app.callback()`, supertest, or a server of your own.
 * Every application has its own state (`/flaky`, `/sequence`). What never becomes a request – broken bytes, WebSocket
 * handshakes, slow heads – is the business of the server that listens: `startServer` takes care of it.
 * @throws TypeError when an option is out of range
 */
export function createApp(options: EchoOptions = {}): Koa {
  const handle = createHandler(resolveLimits(options))
  const app = new Koa()
  app.use((ctx) => {
    // Answers are written by sendReply. The handler reports its own errors; the others that Koa hears of are connections
    // that broke, which is the business of their clients.
    Object.assign(ctx, { respond: false, onerror: ignoreBrokenConnection })
    return handle(ctx.req, ctx.res, (error) => ctx.app.emit('error', error, ctx))
  })
  return app
}

function ignoreBrokenConnection(): void {
  // Nobody is left to be answered, and nothing went wrong here.
}
