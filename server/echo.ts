import type { IncomingMessage } from 'node:http'
import type { EchoContext } from './context.ts'
import { parseJsonBody } from './json.ts'
import { parseBody, showBytes } from './request/body.ts'
import { parseFields, showFields } from './request/fields.ts'
import { parseTarget, showOrigin, showTarget } from './request/url.ts'

export type EchoKey = 'args' | 'data' | 'files' | 'form' | 'headers' | 'json' | 'method' | 'origin' | 'url'

/** The keys in the echo of a GET. */
export const GET_KEYS: readonly EchoKey[] = ['args', 'headers', 'origin', 'url']

/** Describes a request with the given keys, as httpbin does. */
export function describeRequest(ctx: EchoContext, keys: readonly EchoKey[]): Record<string, unknown> {
  const headers = readEchoedHeaders(ctx.req)
  const target = parseTarget(ctx.originalUrl)
  const all: Record<string, unknown> = {
    args: showFields(parseFields(target.query)),
    headers,
    method: ctx.method,
    origin: headers.get('X-Forwarded-For') ?? ctx.req.socket.remoteAddress ?? '',
    url: `${ownOrigin(ctx, headers)}${showTarget(target)}`,
  }
  if (keys.includes('data')) {
    const { body, limits } = ctx.state.echo
    const { data, files, form } = parseBody(body, headers.get('Content-Type') ?? '', limits.maxParts)
    // A body that is not UTF-8 is shown as a data URI, which is not JSON.
    const text = showBytes(data)
    all['data'] = text
    all['files'] = files
    all['form'] = showFields(form)
    if (keys.includes('json')) all['json'] = (text === '' ? null : parseJsonBody(text)) ?? null
  }
  return Object.fromEntries(keys.map((key) => [key, all[key]]))
}

export function sendEcho(ctx: EchoContext, keys: readonly EchoKey[]): void {
  // Setting `ctx.type` instead would make Koa look the type up.
  ctx.set('Content-Type', 'application/json')
  ctx.body = describeRequest(ctx, keys)
}

/** The origin by which the client addressed this server: `http://127.0.0.1:8080`. */
export function ownOrigin(
  { req }: EchoContext,
  headers: ReadonlyMap<string, string> = readEchoedHeaders(req),
): string {
  const host = headers.get('Host') ?? `${req.socket.localAddress}:${req.socket.localPort}`
  const forwarded = headers.get('X-Forwarded-Proto') || headers.get('X-Forwarded-Protocol')
  return showOrigin(forwarded || (headers.get('X-Forwarded-Ssl') === 'on' ? 'https' : 'http'), host)
}

const MAX_CACHED = 1000
const names = new Map<string, string>()

/** Capitalises each word between hyphens and lowers the rest: `X-OAuth2-Flow` → `X-Oauth2-Flow`. */
function normaliseHeaderName(name: string): string {
  const known = names.get(name)
  if (known !== undefined) return known
  const normal = name.toLowerCase().replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase())
  if (names.size < MAX_CACHED && name.length <= 64) names.set(name, normal)
  return normal
}

/** The headers with normalised names. Repeated ones are joined with `,`, except that only the last `Content-Type` counts. */
export function readEchoedHeaders({ rawHeaders }: IncomingMessage): Map<string, string> {
  const headers = new Map<string, string>()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = normaliseHeaderName(rawHeaders[index] ?? '')
    const value = rawHeaders[index + 1] ?? ''
    const previous = name === 'Content-Type' ? undefined : headers.get(name)
    headers.set(name, previous === undefined ? value : `${previous},${value}`)
  }
  if (headers.get('Content-Type') === '') headers.delete('Content-Type')
  return headers
}
