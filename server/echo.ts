import type { EchoContext } from './context.ts'
import { parseJson } from './json/parse-json.ts'
import { parseFields, showFields } from './request/fields.ts'
import { parseBody, showBytes, type BodyContent } from './request/parse-body.ts'
import { buildRequestUrl, parseTarget, type Target } from './request/url.ts'

/** The keys an echo may have. */
export type EchoKey = 'args' | 'data' | 'files' | 'form' | 'headers' | 'json' | 'method' | 'origin' | 'url'

/** Describes a request by the given keys, as httpbin does. */
export function describeRequest(ctx: EchoContext, keys: readonly EchoKey[]): Record<string, unknown> {
  const source = new EchoSource(ctx)
  const description: Record<string, unknown> = {}
  for (const key of keys) description[key] = source[key]
  return description
}

/** The address by which the client asked for this server: `http://127.0.0.1:8080`. */
export function ownOrigin(ctx: EchoContext): string {
  return new EchoSource(ctx).urlOf({ path: '', query: '' })
}

/** The parts of an echo, each made when it is asked for. */
class EchoSource {
  readonly headers: Map<string, string>
  private readonly ctx: EchoContext
  private readonly target: Target
  private content: BodyContent | undefined
  private text: string | undefined

  constructor(ctx: EchoContext) {
    this.ctx = ctx
    this.target = parseTarget(ctx.originalUrl)
    this.headers = readHeaders(ctx.req.rawHeaders)
  }

  get args(): unknown {
    return showFields(parseFields(this.target.query))
  }

  /** The body as text: a data URI when it is not UTF-8, which is not JSON either. */
  get data(): string {
    this.text ??= showBytes(this.body.data)
    return this.text
  }

  get files(): unknown {
    return this.body.files
  }

  get form(): unknown {
    return showFields(this.body.form)
  }

  get json(): unknown {
    return this.data === '' ? null : (parseJson(this.data) ?? null)
  }

  get method(): string {
    return this.ctx.method
  }

  get origin(): string {
    return this.headers.get('X-Forwarded-For') ?? this.ctx.req.socket.remoteAddress ?? ''
  }

  get url(): string {
    return this.urlOf(this.target)
  }

  urlOf(target: Target): string {
    const { localAddress, localPort } = this.ctx.req.socket
    const host = this.headers.get('Host') ?? `${localAddress}:${localPort}`
    const forwarded = this.headers.get('X-Forwarded-Proto') || this.headers.get('X-Forwarded-Protocol')
    const scheme = forwarded || (this.headers.get('X-Forwarded-Ssl') === 'on' ? 'https' : 'http')
    return buildRequestUrl({ scheme, host }, target)
  }

  private get body(): BodyContent {
    const { body, limits } = this.ctx.state.echo
    this.content ??= parseBody(body, this.headers.get('Content-Type') ?? '', limits.maxParts)
    return this.content
  }
}

const MAX_CACHED = 1000
const names = new Map<string, string>()

/** Each word between hyphens with an initial capital and the rest in lower case: `X-OAuth2-Flow` → `X-Oauth2-Flow`. */
function normaliseHeaderName(name: string): string {
  const known = names.get(name)
  if (known !== undefined) return known
  const normal = name.toLowerCase().replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase())
  if (names.size < MAX_CACHED && name.length <= 64) names.set(name, normal)
  return normal
}

/** The headers with normalised names. Repeated ones are joined with `,`; of `Content-Type` the last counts. */
function readHeaders(rawHeaders: readonly string[]): Map<string, string> {
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
