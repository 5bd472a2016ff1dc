import { hostname } from 'node:os'
import { type EchoContext, type EchoRouter, EVERY_METHOD, sendDocument, sendJson } from '../context.ts'
import { describeRequest, GET_KEYS, type EchoKey } from '../echo.ts'
import { readSeconds } from '../numbers.ts'
import { waitFor } from './streams.ts'

const DELAY_KEYS: EchoKey[] = [...GET_KEYS, 'data', 'files', 'form']
const BODY_KEYS: EchoKey[] = [...DELAY_KEYS, 'json']
const ANYTHING_KEYS: EchoKey[] = [...BODY_KEYS, 'method']

/** The request described as JSON, whole (`/get`, `/post`, `/anything`, `/delay` …), in one fact, or as it was on the wire. */
export function addEchoRoutes(router: EchoRouter): void {
  router.get('/get', echo(GET_KEYS))
  router.get('/head', echo(GET_KEYS))
  router.get('/options', echo(GET_KEYS))
  router.post('/post', echo(BODY_KEYS))
  router.put('/put', echo(BODY_KEYS))
  router.patch('/patch', echo(BODY_KEYS))
  router.delete('/delete', echo(BODY_KEYS))
  router.register('/anything', EVERY_METHOD, echo(ANYTHING_KEYS))
  router.register('/anything/*rest', EVERY_METHOD, echo(ANYTHING_KEYS))
  router.register('/delay/:seconds', EVERY_METHOD, async (ctx) => {
    await waitFor(readSeconds(ctx.params['seconds'], ctx.state.echo.limits.maxDelay), ctx.req.socket)
    ctx.body = describeRequest(ctx, DELAY_KEYS)
  })
  router.get('/headers', echo(['headers']))
  router.get('/ip', echo(['origin']))
  router.get('/user-agent', (ctx) => {
    ctx.body = { 'user-agent': ctx.req.headers['user-agent'] ?? null }
  })
  router.get('/uuid', (ctx) => {
    ctx.body = { uuid: crypto.randomUUID() }
  })
  router.get('/hostname', (ctx) => {
    ctx.body = { hostname: hostname() }
  })
  router.register('/dump/request', EVERY_METHOD, dumpRequest)
}

function echo(keys: readonly EchoKey[]) {
  return (ctx: EchoContext): void => {
    sendJson(ctx, describeRequest(ctx, keys))
  }
}

function dumpRequest(ctx: EchoContext): void {
  const { method, httpVersion, rawHeaders } = ctx.req
  const lines = [`${method} ${ctx.originalUrl} HTTP/${httpVersion}`]
  for (let index = 0; index < rawHeaders.length; index += 2)
    lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`)
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  sendDocument(ctx, 'text/plain; charset=utf-8', Buffer.concat([head, ctx.state.echo.body]))
}
