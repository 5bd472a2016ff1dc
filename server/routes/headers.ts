import { validateHeaderName, validateHeaderValue } from 'node:http'
import { Readable } from 'node:stream'
import { type EchoContext, type EchoRouter, readCount, readQuery, sendDocument } from '../context.ts'
import { describeRequest, GET_KEYS, sendEcho } from '../echo.ts'
import { HttpProblem } from '../http-problem.ts'
import { printJson } from '../json.ts'
import { showFields } from '../request/fields.ts'
import { sendStatus } from './status.ts'

/** Headers that frame the response, or belong to the server. */
const NO_HEADER =
  /^(?:content-length|transfer-encoding|connection|keep-alive|upgrade|trailer|te|date|server|x-content-type-options|access-control-.*)$/i
const SAFE_TYPE = /^(?:application\/(?:[\w.+-]*json|octet-stream)|text\/plain)(?:;[ -~]*)?$/i

/** `/response-headers` and `/trailers` send what they are given; `/etag` and `/cache` answer conditional requests (RFC 9110, 13). */
export function addHeaderRoutes(router: EchoRouter): void {
  router.register('/response-headers', ['GET', 'POST'], sendHeaders)
  router.get('/trailers', sendTrailers)
  router.get('/etag/:etag', answerTagged)
  router.get('/cache', (ctx) => {
    if (ctx.get('If-None-Match') !== '' || ctx.get('If-Modified-Since') !== '') return sendStatus(ctx, 304)
    ctx.set('Last-Modified', new Date().toUTCString())
    ctx.set('ETag', `"${crypto.randomUUID().replaceAll('-', '')}"`)
    return sendEcho(ctx, GET_KEYS)
  })
  router.get('/cache/:seconds', (ctx) => {
    ctx.set('Cache-Control', `public, max-age=${readCount(ctx.params['seconds'], 0, 2 ** 31)}`)
    sendEcho(ctx, GET_KEYS)
  })
}

/** Sends the given headers and a body that lists them with its own length. The body is printed again until the length is right. */
function sendHeaders(ctx: EchoContext): void {
  const headers = listHeaders(ctx)
  const types = headers.filter(([name]) => /^content-type$/i.test(name)).map(([, type]) => type)
  const [type = 'application/json'] = types
  if (types.length > 1 || !SAFE_TYPE.test(type))
    throw new HttpProblem(400, `expected one content type that no browser renders, got "${types.join()}"`)
  const shown = showFields(readQuery(ctx))
  if (types.length === 0) shown.set('Content-Type', type)
  let body = ''
  do {
    shown.set('Content-Length', String(body.length))
    body = `${printJson(shown)}\n`
  } while (shown.get('Content-Length') !== String(body.length))
  for (const [name, value] of headers) ctx.append(name, value)
  // With a text as body, Node would send the headers in UTF-8 as well.
  sendDocument(ctx, type, Buffer.from(body))
}

/** The names and values of the query. All must be valid headers. */
function listHeaders(ctx: EchoContext): [name: string, value: string][] {
  const headers = [...readQuery(ctx)]
  for (const [name, value] of headers) {
    if (NO_HEADER.test(name)) throw new HttpProblem(400, `${name} cannot be set`)
    try {
      validateHeaderName(name)
      validateHeaderValue(name, value)
    } catch {
      throw new HttpProblem(400, `"${name}: ${value}" is not a header`)
    }
  }
  return headers
}

function sendTrailers(ctx: EchoContext): void {
  const trailers = listHeaders(ctx)
  // Node would throw later, where nothing catches it.
  if (trailers.length > 0 && ctx.req.httpVersion !== '1.1')
    throw new HttpProblem(400, 'only HTTP/1.1 has trailers')
  if (trailers.length > 0 && ctx.method === 'GET')
    ctx.set('Trailer', trailers.map(([name]) => name).join(', '))
  ctx.set('Content-Type', 'application/json')
  ctx.body = Readable.from(writeThenTrail(ctx, trailers))
}

/** Trailers must be added after the last piece of the body and before its end. */
function* writeThenTrail(ctx: EchoContext, trailers: [string, string][]): Generator<string> {
  yield `${printJson(describeRequest(ctx, GET_KEYS))}\n`
  ctx.res.addTrailers(trailers)
}

function answerTagged(ctx: EchoContext): void {
  const etag = ctx.params['etag'] ?? ''
  if (!/^[!#-~]+$/.test(etag)) throw new HttpProblem(400, `"${etag}" is not an entity tag (RFC 9110, 8.8.3)`)
  const { 'if-none-match': ifNoneMatch, 'if-match': ifMatch } = ctx.req.headers
  if (ifNoneMatch === undefined && ifMatch !== undefined && !hasTag(ifMatch, etag))
    return sendStatus(ctx, 412)
  ctx.set('ETag', `"${etag}"`)
  if (ifNoneMatch !== undefined && hasTag(ifNoneMatch, etag)) return sendStatus(ctx, 304)
  sendEcho(ctx, GET_KEYS)
}

/** Whether a list of entity tags contains one, weak or strong, quoted or not. */
function hasTag(list: string, etag: string): boolean {
  const accepted = new Set(['*', etag, `"${etag}"`])
  return list.split(',').some((tag) => accepted.has(tag.trim().replace(/^W\//, '')))
}
