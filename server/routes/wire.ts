import { Readable } from 'node:stream'
import { printEcho } from '../echo.ts'
import { HttpProblem } from '../http-problem.ts'
import type { EchoRequest } from '../request/echo-request.ts'
import { parseFields } from '../request/fields.ts'
import type { Reply } from '../reply.ts'
import type { Route } from '../route.ts'
import { EVERY_METHOD } from '../route.ts'

/** `/dump/request` gives the request back as it stood on the wire; `/trailers?name=value` sends trailers. */
export const wireRoutes: Route[] = [
  { methods: EVERY_METHOD, path: '/dump/request', handle: replyDump },
  { methods: ['GET'], path: '/trailers', handle: replyTrailers },
]

function replyDump({ message, body }: EchoRequest): Reply {
  const { method, url, httpVersion, rawHeaders } = message
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let index = 0; index < rawHeaders.length; index += 2)
    lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`)
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  return {
    status: 200,
    headers: ['Content-Type', 'text/plain; charset=utf-8'],
    body: Buffer.concat([head, body]),
  }
}

/** Fields that must not be trailers (RFC 9110, 6.5.1) and those that steer the connection. */
const REFUSED =
  /^(?:content-.*|transfer-encoding|host|connection|keep-alive|upgrade|trailer|te|set-cookie|authorization|cache-control|www-authenticate|age|expires|date|location|retry-after|vary|warning|access-control-.*)$/i

function replyTrailers(request: EchoRequest): Reply {
  const trailers = [...parseFields(request.query)].flatMap(([name, values]) =>
    values.map((value) => checkTrailer(name, value)),
  )
  const names = trailers.map(([name]) => name)
  const { response } = request
  const body = Readable.from(writeThenTrail(request, () => response.addTrailers(trailers)))
  const announcement = names.length === 0 ? [] : ['Trailer', names.join(', ')]
  return {
    status: 200,
    headers: ['Content-Type', 'application/json', 'Transfer-Encoding', 'chunked', ...announcement],
    body,
  }
}

/** Trailers are added after the last piece of the body, before its end. */
function* writeThenTrail(request: EchoRequest, trail: () => void): Generator<string> {
  yield `${printEcho(request, ['args', 'headers', 'origin', 'url'])}\n`
  trail()
}

function checkTrailer(name: string, value: string): [string, string] {
  const isToken = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name)
  if (isToken && !REFUSED.test(name) && /^[\t\x20-\x7e]*$/.test(value)) return [name, value]
  throw new HttpProblem(400, `"${name}: ${value}" cannot be a trailer`)
}
