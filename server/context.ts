import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Router, RouterContext } from '@koa/router'
import { HttpProblem } from './http-problem.ts'
import type { Limits } from './limits.ts'
import { parseFields } from './request/fields.ts'
import { parseTarget } from './request/url.ts'

/** What routes find in `ctx.state`: the body of the request as received, and the limits. */
export interface EchoState {
  echo: { body: Buffer; limits: Limits }
}

export type EchoContext = RouterContext<EchoState>

export type EchoRouter = Router<EchoState>

/** Methods for routes that accept any, for `router.register`. HEAD follows from GET, and OPTIONS is answered for every route. */
export const EVERY_METHOD: string[] = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'TRACE']

/** The query, parsed as httpbin does. */
export function readQuery(ctx: EchoContext): URLSearchParams {
  return parseFields(parseTarget(ctx.originalUrl).query)
}

/** The first value of a query parameter. */
export function readOption(ctx: EchoContext, name: string): string | undefined {
  return readQuery(ctx).get(name) ?? undefined
}

/** @throws HttpProblem 400 unless the text is a decimal number from 0 to `max` */
export function readDecimal(what: string, text: string | undefined, max: number): number {
  const isDecimal = /^(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?$/.test(text ?? '')
  if (isDecimal && Number(text) <= max) return Number(text)
  throw new HttpProblem(400, `expected ${what} from 0 to ${max}, got "${text}"`)
}

/** @throws HttpProblem 400 unless the text is an integer from `min` to `max` */
export function readCount(text: string | undefined, min: number, max: number): number {
  const count = /^[0-9]{1,15}$/.test(text ?? '') ? Number(text) : Number.NaN
  if (count >= min && count <= max) return count
  throw new HttpProblem(400, `expected an integer from ${min} to ${max}, got "${text}"`)
}

/** Bytes derived from a seed, which must be a 32-bit integer: for reproducible responses, not for secrets. */
export function seededBytes(seed: string, count: number): Buffer {
  const text = String(readCount(seed, 0, 2 ** 32 - 1))
  return createHash('shake256', { outputLength: count }).update(text).digest()
}

/** A file from the folder `documents` (`dist/server/documents` in the built package). */
export function readDocument(name: string): Buffer {
  return readFileSync(join(import.meta.dirname, '../server/documents', name))
}

/** Answers with exactly this content type. Koa would add a charset to some. */
export function sendDocument(ctx: EchoContext, type: string, body: string | Buffer): void {
  ctx.set('Content-Type', type)
  ctx.body = body
}

/** Answers with an empty body, declared as HTML, as httpbin does. */
export function sendEmpty(ctx: EchoContext, status = 200): void {
  ctx.status = status
  sendDocument(ctx, 'text/html; charset=utf-8', '')
}

/** Redirects the client. Unlike httpbin, without a page. */
export function sendRedirect(ctx: EchoContext, location: string, status = 302): void {
  sendEmpty(ctx, status)
  ctx.set('Location', location)
}

/** A path of the echo server, with the prefix of its router: what `ctx.path` has before the current route. */
export function ownPath(ctx: EchoContext, path: string): string {
  const segments = String(ctx.routerName).split('/').length - 1
  return ctx.path.split('/').slice(0, -segments).join('/') + path
}
