import type { Router, RouterContext } from '@koa/router'
import { printJson } from './json/print-json.ts'
import type { Limits } from './limits.ts'
import { type Fields, parseFields } from './request/fields.ts'
import { parseTarget } from './request/url.ts'

/** What the routes find in `ctx.state`. */
export interface EchoState {
  echo: {
    /** The request's body as it came. */
    body: Buffer
    limits: Limits
  }
}

/** The context of the echo server's own middleware. */
export type EchoContext = RouterContext<EchoState>

/** The router that the families of routes add themselves to. */
export type EchoRouter = Router<EchoState>

/** The methods of routes that answer to any, for `router.register`. HEAD follows GET; OPTIONS is answered for every route. */
export const EVERY_METHOD: string[] = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'TRACE']

/** The query as httpbin reads it. */
export function readQuery(ctx: EchoContext): Fields {
  return parseFields(parseTarget(ctx.originalUrl).query)
}

/** The first value of a query parameter. */
export function readOption(ctx: EchoContext, name: string): string | undefined {
  return readQuery(ctx).get(name)?.[0]
}

/** Answers with text of a type, as it stands: Koa would add a charset to some. */
export function sendDocument(ctx: EchoContext, type: string, body: string | Buffer): void {
  ctx.set('Content-Type', type)
  ctx.body = body
}

/**
 * Answers with data as httpbin prints it.
 * @throws HttpProblem 413 when it is far larger than what a client may send
 */
export function sendJson(ctx: EchoContext, value: unknown, type = 'application/json'): void {
  const most = Math.min(2 ** 28, 16 * ctx.state.echo.limits.maxBody + 1_000_000)
  const text = `${printJson(value, most)}\n`
  // It is ASCII: where it is long, bytes are sent much sooner than text.
  const body = text.length > 65_536 ? Buffer.from(text, 'latin1') : text
  sendDocument(ctx, type, body)
}

/** Answers with an empty body, announced as HTML as httpbin does. */
export function sendEmpty(ctx: EchoContext, status = 200): void {
  ctx.status = status
  sendDocument(ctx, 'text/html; charset=utf-8', '')
}

/** Leads the client on; httpbin has a page beside that, we do not. */
export function sendRedirect(ctx: EchoContext, location: string, status = 302): void {
  sendEmpty(ctx, status)
  ctx.set('Location', location)
}

/** A path of the echo server, wherever its router is mounted. */
export function ownPath(ctx: EchoContext, path: string): string {
  return `${ctx.router.opts.prefix ?? ''}${path}`
}
