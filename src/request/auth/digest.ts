import { createHash, randomBytes } from 'node:crypto'
import { splitTarget, type ResponseHead, type SentRequest } from '../exchange.ts'
import { readSettings, setHeader, type AuthScheme } from './auth-scheme.ts'

type Credentials = { username: string; password: string }

/** The parameters of a challenge, their names in lower case. */
type Challenge = Record<string, string>

/** The hashes of RFC 7616, the best first, and SHA-512, which httpbin has. */
const hashes = new Map([
  ['SHA-512', 'sha512'],
  ['SHA-512-256', 'sha512-256'],
  ['SHA-256', 'sha256'],
  ['MD5', 'md5'],
])

/** HTTP Digest (RFC 7616): the request goes out without credentials and again with the answer to the server's challenge. */
export const digest: AuthScheme = (settings) => {
  const credentials = readSettings(settings, 'digest', { needed: ['username', 'password'] })
  return {
    headers: ['authorization'],
    authorize: (request) => request,
    answer: (request, head) => answerChallenge(request, head, credentials),
  }
}

function answerChallenge(
  request: SentRequest,
  head: ResponseHead,
  credentials: Credentials,
): SentRequest | string | undefined {
  if (head.statusCode !== 401) return undefined
  const lines = head.headers
    .filter(([name]) => name.toLowerCase() === 'www-authenticate')
    .map(([, value]) => value)
  const challenges = lines.flatMap(readChallenges)
  for (const [name, hash] of hashes) {
    const challenge = challenges.find(
      ({ algorithm = 'MD5' }) => algorithm.toUpperCase().replace(/-SESS$/, '') === name,
    )
    if (challenge !== undefined)
      return setHeader(request, 'authorization', compute(request, challenge, { hash, ...credentials }))
  }
  const found = lines.length === 0 ? 'no `www-authenticate`' : `\`www-authenticate: ${lines.join(', ')}\``
  return `The credentials of \`auth.digest\` were not sent: the 401 has ${found}, and not a Digest challenge of \`qop\` auth with one of the algorithms ${[...hashes.keys()].join(', ')}`
}

/** The Digest challenges in a `www-authenticate` line, which may hold challenges of other schemes too; those that want the body hashed are left out. */
function readChallenges(line: string): Challenge[] {
  const challenges: Challenge[] = []
  let current: Challenge | undefined
  for (const match of line.matchAll(
    /(?:(?<scheme>[\w-]+)\s+)?(?<name>[\w-]+)\s*=\s*(?:"(?<quoted>(?:[^"\\]|\\.)*)"|(?<plain>[^\s,"]+))/g,
  )) {
    const { scheme, name = '', quoted, plain = '' } = match.groups ?? {}
    if (scheme !== undefined) {
      current = scheme.toLowerCase() === 'digest' ? Object.create(null) : undefined
      if (current !== undefined) challenges.push(current)
    }
    if (current !== undefined) current[name.toLowerCase()] = quoted?.replaceAll(/\\(.)/g, '$1') ?? plain
  }
  return challenges.filter(({ nonce, qop }) => nonce !== undefined && (!qop || /\bauth(?!-)\b/i.test(qop)))
}

function compute(
  { method, url }: SentRequest,
  { realm = '', nonce = '', algorithm, opaque, qop }: Challenge,
  { hash, username, password }: Credentials & { hash: string },
): string {
  const h = (...parts: string[]): string => createHash(hash).update(parts.join(':')).digest('hex')
  const [, uri] = splitTarget(url)
  const cnonce = randomBytes(16).toString('hex')
  const isSession = /-sess$/i.test(algorithm ?? '')
  const who = h(username, realm, password)
  const secret = isSession ? h(who, nonce, cnonce) : who
  const proof = qop ? ['00000001', cnonce, 'auth'] : []
  const parameters: [string, string | undefined][] = [
    ['username', quote(username)],
    ['realm', quote(realm)],
    ['nonce', quote(nonce)],
    ['uri', quote(uri)],
    ['response', quote(h(secret, nonce, ...proof, h(method, uri)))],
    ['algorithm', algorithm],
    ['opaque', opaque && quote(opaque)],
    ['qop', qop && 'auth'],
    ['nc', qop && '00000001'],
    ['cnonce', qop || isSession ? quote(cnonce) : undefined],
  ]
  const given = parameters.filter(([, value]) => value)
  return `Digest ${given.map(([name, value]) => `${name}=${value}`).join(', ')}`
}

/** Bytes of UTF-8, as header values are latin-1. */
function quote(text: string): string {
  const escaped = text.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll(/[\r\n]/g, '')
  return `"${Buffer.from(escaped).toString('latin1')}"`
}
