import { hostname } from 'node:os'
import { type EchoContext, type EchoRouter, EVERY_METHOD, readDecimal, sendDocument } from '../context.ts'
import { GET_KEYS, readEchoedHeaders, sendEcho, type EchoKey } from '../echo.ts'
import { waitFor } from './streams.ts'

const DELAY_KEYS: EchoKey[] = [...GET_KEYS, 'data', 'files', 'form']
const BODY_KEYS: EchoKey[] = [...DELAY_KEYS, 'json']
const ANYTHING_KEYS: EchoKey[] = [...BODY_KEYS, 'method']

/** Path, methods, and what is shown of the request. */
const ECHOES: [path: string, methods: string[], keys: readonly EchoKey[]][] = [
  ['/get', ['GET'], GET_KEYS],
  ['/head', ['GET'], GET_KEYS],
  ['/options', ['GET'], GET_KEYS],
  ['/post', ['POST'], BODY_KEYS],
  ['/put', ['PUT'], BODY_KEYS],
  ['/patch', ['PATCH'], BODY_KEYS],
  ['/delete', ['DELETE'], BODY_KEYS],
  ['/anything', EVERY_METHOD, ANYTHING_KEYS],
  ['/anything/*rest', EVERY_METHOD, ANYTHING_KEYS],
  ['/headers', ['GET'], ['headers']],
  ['/ip', ['GET'], ['origin']],
]

/** Adds routes that describe the request as JSON, in full or in one field, or show it as it was sent. */
export function addEchoRoutes(router: EchoRouter): void {
  for (const [path, methods, keys] of ECHOES) router.register(path, methods, (ctx) => sendEcho(ctx, keys))
  router.register('/delay/:seconds', EVERY_METHOD, async (ctx) => {
    const seconds = readDecimal('seconds', ctx.params['seconds'], ctx.state.echo.limits.maxDelay)
    await waitFor(seconds, ctx.req.socket)
    sendEcho(ctx, DELAY_KEYS)
  })
  router.get('/user-agent', (ctx) => {
    ctx.body = { 'user-agent': readEchoedHeaders(ctx.req).get('User-Agent') ?? null }
  })
  router.get('/uuid', (ctx) => {
    ctx.body = { uuid: crypto.randomUUID() }
  })
  router.get('/hostname', (ctx) => {
    ctx.body = { hostname: hostname() }
  })
  router.register('/dump/request', EVERY_METHOD, dumpRequest)
}

function dumpRequest(ctx: EchoContext): void {
  const { method, httpVersion, rawHeaders } = ctx.req
  const lines = [`${method} ${ctx.originalUrl} HTTP/${httpVersion}`]
  for (let index = 0; index < rawHeaders.length; index += 2)
    lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`)
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  sendDocument(ctx, 'text/plain; charset=utf-8', Buffer.concat([head, ctx.state.echo.body]))
}
