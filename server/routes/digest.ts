import { hash, randomBytes } from 'node:crypto'
import { type EchoContext, type EchoRouter, sendEmpty } from '../context.ts'
import { readCookies } from '../request/cookies.ts'
import { parseParameters } from '../request/parse-parameters.ts'

const REALM = 'suitecase'
const HASHES: Record<string, string> = { MD5: 'md5', 'SHA-256': 'sha256', 'SHA-512': 'sha512' }

/** `/digest-auth/{qop}/{user}/{password}[/{algorithm}[/{stale_after}]]` (RFC 7616). */
export function addDigestRoutes(router: EchoRouter): void {
  router.get('/digest-auth/:qop/:user/:password', answerDigest)
  router.get('/digest-auth/:qop/:user/:password/:algorithm', answerDigest)
  router.get('/digest-auth/:qop/:user/:password/:algorithm/:staleAfter', answerDigest)
}

type Credentials = ReadonlyMap<string, string>

function answerDigest(ctx: EchoContext): void {
  const authorization = ctx.get('Authorization')
  if (!/^digest /i.test(authorization)) return challenge(ctx, false)
  const credentials = parseCredentials(authorization)
  const cookies = readCookies(ctx.req.headers.cookie)
  const staleAfter = cookies.get('stale_after')
  const isStale = staleAfter === '0' || cookies.get('last_nonce') === credentials.get('nonce')
  if (isStale || !isCorrect(ctx, credentials)) return challenge(ctx, isStale, credentials.get('nonce'))
  ctx.body = { authenticated: true, user: ctx.params['user'] }
  if (staleAfter !== undefined) setCookie(ctx, 'stale_after', countDown(staleAfter))
}

function challenge(ctx: EchoContext, stale: boolean, lastNonce = ''): void {
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
  setCookie(ctx, 'stale_after', /^[0-9]{1,6}$/.test(staleAfter) ? staleAfter : 'never')
  if (/^[0-9a-f]+$/.test(lastNonce)) setCookie(ctx, 'last_nonce', lastNonce)
}

function isCorrect(ctx: EchoContext, credentials: Credentials): boolean {
  const { params, method, originalUrl } = ctx
  const read = (name: string): string => credentials.get(name) ?? ''
  if (read('username') !== params['user'] || read('realm') !== REALM || read('uri') !== originalUrl)
    return false
  const digest = (content: string | Buffer): string => hash(HASHES[algorithmOf(ctx)] as string, content)
  const qop = credentials.get('qop')
  const secret = digest(`${read('username')}:${REALM}:${params['password']}`)
  const target = digest(
    qop === 'auth-int'
      ? `${method}:${read('uri')}:${digest(ctx.state.echo.body)}`
      : `${method}:${read('uri')}`,
  )
  const middle =
    qop === undefined ? read('nonce') : [read('nonce'), read('nc'), read('cnonce'), qop].join(':')
  return read('response') === digest(`${secret}:${middle}:${target}`)
}

function algorithmOf({ params: { algorithm = 'MD5' } }: EchoContext): string {
  return Object.hasOwn(HASHES, algorithm) ? algorithm : 'MD5'
}

/** Credentials are parameters separated by commas; a comma inside quotes separates nothing. */
function parseCredentials(authorization: string): Credentials {
  const list = authorization
    .slice('digest '.length)
    .replace(/("(?:[^"\\]|\\.)*")|,/g, (_, quoted?: string) => quoted ?? ';')
  return parseParameters(`;${list}`).parameters
}

function setCookie(ctx: EchoContext, name: string, value: string): void {
  ctx.append('Set-Cookie', `${name}=${value}; Path=/`)
}

function countDown(staleAfter: string): string {
  return /^[1-9][0-9]{0,5}$/.test(staleAfter) ? String(Number(staleAfter) - 1) : 'never'
}
