import { hash, randomBytes } from 'node:crypto'
import { type EchoContext, type EchoRouter, readCount, readOption, sendEmpty } from '../context.ts'
import { parseFields, parseParameters } from '../request/fields.ts'
import { parseCookies } from './cookies.ts'
import { sendStatus } from './status.ts'

/** `/basic-auth`, `/hidden-basic-auth` (RFC 7617), `/bearer` (RFC 6750), `/digest-auth` (RFC 7616), `/oauth/token` (RFC 6749). */
export function addAuthRoutes(router: EchoRouter): void {
  router.get('/basic-auth/:user/:password', (ctx) => answerBasic(ctx, 401))
  router.get('/hidden-basic-auth/:user/:password', (ctx) => answerBasic(ctx, 404))
  router.get('/bearer', (ctx) => {
    const token = /^Bearer (.*)$/s.exec(ctx.get('Authorization'))?.[1]
    // A token that was issued here ends with the time when it expires.
    const end = Number(/^access-[0-9a-f-]{36}-([0-9]{1,16})$/.exec(token ?? '')?.[1] ?? Infinity)
    if (token !== undefined && end > Date.now()) {
      ctx.body = { authenticated: true, token }
      return
    }
    sendEmpty(ctx, 401)
    ctx.set('WWW-Authenticate', token === undefined ? 'Bearer' : 'Bearer error="invalid_token"')
  })
  for (const rest of ['', '/:algorithm', '/:algorithm/:staleAfter'])
    router.get(`/digest-auth/:qop/:user/:password${rest}`, answerDigest)
  router.post('/oauth/token', giveToken)
}

function answerBasic(ctx: EchoContext, refusal: number): void {
  const { user, password } = ctx.params
  const credentials = /^basic +(\S+)$/i.exec(ctx.get('Authorization'))?.[1] ?? ''
  if (Buffer.from(credentials, 'base64').toString('utf8') === `${user}:${password}`)
    ctx.body = { authenticated: true, user }
  else sendStatus(ctx, refusal)
}

const REALM = 'suitecase'
const HASHES: Record<string, string> = { MD5: 'md5', 'SHA-256': 'sha256', 'SHA-512': 'sha512' }

function answerDigest(ctx: EchoContext): void {
  const authorization = Buffer.from(ctx.get('Authorization'), 'latin1').toString()
  if (!/^digest /i.test(authorization)) return challenge(ctx, false)
  // Parameters are separated by commas, except those inside quotes.
  const list = authorization
    .slice('digest'.length)
    .replace(/("(?:[^"\\]|\\.)*")|,/g, (_, quoted?: string) => quoted ?? ';')
  const credentials = parseParameters(`;${list}`)
  const staleAfter = parseCookies(ctx.req.headers.cookie).get('stale_after')
  if (staleAfter === '0' || !isCorrect(ctx, credentials)) return challenge(ctx, staleAfter === '0')
  ctx.body = { authenticated: true, user: ctx.params['user'] }
  if (staleAfter === undefined) return
  const isNumber = /^[1-9][0-9]{0,5}$/.test(staleAfter)
  countStale(ctx, isNumber ? String(Number(staleAfter) - 1) : 'never')
}

function challenge(ctx: EchoContext, stale: boolean): void {
  const { qop = '', staleAfter = '' } = ctx.params
  const fields = [
    `realm="${REALM}"`,
    `nonce="${randomBytes(16).toString('hex')}"`,
    `qop="${qop === 'auth' || qop === 'auth-int' ? qop : 'auth, auth-int'}"`,
    `opaque="${randomBytes(16).toString('hex')}"`,
    `algorithm=${algorithmOf(ctx)}`,
    `stale=${stale ? 'TRUE' : 'FALSE'}`,
  ]
  sendEmpty(ctx, 401)
  ctx.set('WWW-Authenticate', `Digest ${fields.join(', ')}`)
  countStale(ctx, /^[0-9]{1,6}$/.test(staleAfter) ? staleAfter : 'never')
}

function isCorrect(ctx: EchoContext, credentials: ReadonlyMap<string, string>): boolean {
  const { params, method, originalUrl } = ctx
  const read = (name: string): string => credentials.get(name) ?? ''
  if (read('username') !== params['user'] || read('realm') !== REALM || read('uri') !== originalUrl)
    return false
  const algorithm = HASHES[algorithmOf(ctx)] as string
  const digest = (...parts: string[]): string => hash(algorithm, parts.join(':'))
  const qop = credentials.get('qop')
  const body = qop === 'auth-int' ? [hash(algorithm, ctx.state.echo.body)] : []
  const target = digest(method, originalUrl, ...body)
  const middle = qop === undefined ? [read('nonce')] : [read('nonce'), read('nc'), read('cnonce'), qop]
  const secret = digest(read('username'), REALM, params['password'] ?? '')
  return read('response') === digest(secret, ...middle, target)
}

function algorithmOf({ params: { algorithm = 'MD5' } }: EchoContext): string {
  return Object.hasOwn(HASHES, algorithm) ? algorithm : 'MD5'
}

/** A cookie counts down the requests until the client's nonce is stale, so that the server stores nothing. */
function countStale(ctx: EchoContext, requests: string): void {
  ctx.set('Set-Cookie', `stale_after=${requests}; Path=/`)
}

/** What each grant needs. */
const GRANTS = new Map([
  ['client_credentials', []],
  ['password', ['username', 'password']],
  ['refresh_token', ['refresh_token']],
])

/** Issues a token to any client that identifies itself. Nothing is stored: a token contains its own expiry, and only `/bearer` checks it. */
function giveToken(ctx: EchoContext): void {
  ctx.set('Cache-Control', 'no-store')
  const { body, limits } = ctx.state.echo
  const form = parseFields(body.toString(), limits.maxParts)
  const grant = form.get('grant_type') ?? ''
  const needed = GRANTS.get(grant)
  const missing = ['grant_type', ...(needed ?? [])].find((name) => !form.get(name))
  if (missing !== undefined) return refuse(ctx, 'invalid_request', `expected a form with ${missing}`)
  if (!needed) return refuse(ctx, 'unsupported_grant_type', `supported: ${[...GRANTS.keys()].join(', ')}`)
  if (!/^basic ./i.test(ctx.get('Authorization')) && !form.get('client_id'))
    return refuse(ctx, 'invalid_client', 'expected client_id, or basic authentication')
  const seconds = readCount(readOption(ctx, 'expires_in') ?? '3600', 0, 2 ** 31)
  ctx.body = {
    access_token: `access-${crypto.randomUUID()}-${Date.now() + seconds * 1000}`,
    expires_in: seconds,
    refresh_token: grant === 'client_credentials' ? undefined : `refresh-${crypto.randomUUID()}`,
    scope: form.get('scope') || undefined,
    token_type: 'Bearer',
  }
}

function refuse(ctx: EchoContext, error: string, description: string): void {
  ctx.status = error === 'invalid_client' ? 401 : 400
  ctx.body = { error, error_description: description }
}
