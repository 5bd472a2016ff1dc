import { createHash, randomBytes } from 'node:crypto'
import { readCookies } from '../request/cookies.ts'
import type { EchoRequest } from '../request/echo-request.ts'
import { parseParameters } from '../request/parse-parameters.ts'
import { type Reply, replyEmpty, replyJson } from '../reply.ts'
import type { Route } from '../route.ts'

const REALM = 'suitecase'
const HASHES: Record<string, string> = { MD5: 'md5', 'SHA-256': 'sha256', 'SHA-512': 'sha512' }

/** `/digest-auth/{qop}/{user}/{password}[/{algorithm}[/{stale_after}]]` (RFC 7616). */
export const digestRoutes: Route[] = [
  { methods: ['GET'], path: '/digest-auth/:qop/:user/:password', handle: replyDigest },
  { methods: ['GET'], path: '/digest-auth/:qop/:user/:password/:algorithm', handle: replyDigest },
  { methods: ['GET'], path: '/digest-auth/:qop/:user/:password/:algorithm/:staleAfter', handle: replyDigest },
]

type Credentials = ReadonlyMap<string, string>

function replyDigest(request: EchoRequest): Reply {
  const { authorization } = request.message.headers
  if (!/^digest /i.test(authorization ?? '')) return challenge(request, false)
  const credentials = parseCredentials(authorization ?? '')
  const cookies = readCookies(request.message.headers.cookie)
  const staleAfter = cookies.get('stale_after')
  const isStale = staleAfter === '0' || cookies.get('last_nonce') === credentials.get('nonce')
  if (isStale) return challenge(request, true, credentials.get('nonce'))
  if (!isCorrect(request, credentials)) return challenge(request, false, credentials.get('nonce'))
  const reply = replyJson({ authenticated: true, user: request.params['user'] ?? '' })
  if (staleAfter === undefined) return reply
  return { ...reply, headers: [...reply.headers, ...setCookie('stale_after', countDown(staleAfter))] }
}

function challenge({ params }: EchoRequest, stale: boolean, lastNonce?: string): Reply {
  const qop = params['qop'] === 'auth' || params['qop'] === 'auth-int' ? params['qop'] : 'auth, auth-int'
  const fields = [
    `realm="${REALM}"`,
    `nonce="${randomBytes(16).toString('hex')}"`,
    `qop="${qop}"`,
    `opaque="${randomBytes(16).toString('hex')}"`,
    `algorithm=${algorithmOf(params)}`,
    `stale=${stale ? 'TRUE' : 'FALSE'}`,
  ]
  return replyEmpty(401, [
    'WWW-Authenticate',
    `Digest ${fields.join(', ')}`,
    ...setCookie(
      'stale_after',
      /^[0-9]{1,6}$/.test(params['staleAfter'] ?? '') ? (params['staleAfter'] ?? '') : 'never',
    ),
    ...(/^[0-9a-f]+$/.test(lastNonce ?? '') ? setCookie('last_nonce', lastNonce ?? '') : []),
  ])
}

function isCorrect(request: EchoRequest, credentials: Credentials): boolean {
  const { params, message, method, body } = request
  const read = (name: string): string => credentials.get(name) ?? ''
  if (read('username') !== params['user'] || read('realm') !== REALM || read('uri') !== message.url)
    return false
  const hash = hasher(algorithmOf(params))
  const qop = credentials.get('qop')
  const secret = hash(`${read('username')}:${REALM}:${params['password']}`)
  const target = hash(
    qop === 'auth-int' ? `${method}:${read('uri')}:${hash(body)}` : `${method}:${read('uri')}`,
  )
  const middle =
    qop === undefined ? read('nonce') : [read('nonce'), read('nc'), read('cnonce'), qop].join(':')
  return read('response') === hash(`${secret}:${middle}:${target}`)
}

function algorithmOf(params: EchoRequest['params']): string {
  const algorithm = params['algorithm'] ?? 'MD5'
  return Object.hasOwn(HASHES, algorithm) ? algorithm : 'MD5'
}

function hasher(algorithm: string): (content: string | Buffer) => string {
  return (content) =>
    createHash(HASHES[algorithm] ?? 'md5')
      .update(content)
      .digest('hex')
}

/** Credentials are parameters separated by commas; a comma inside quotes separates nothing. */
function parseCredentials(authorization: string): Credentials {
  const list = authorization
    .slice('digest '.length)
    .replace(/("(?:[^"\\]|\\.)*")|,/g, (_, quoted?: string) => quoted ?? ';')
  return parseParameters(`;${list}`).parameters
}

function setCookie(name: string, value: string): string[] {
  return ['Set-Cookie', `${name}=${value}; Path=/`]
}

function countDown(staleAfter: string): string {
  return /^[1-9][0-9]{0,5}$/.test(staleAfter) ? String(Number(staleAfter) - 1) : 'never'
}
