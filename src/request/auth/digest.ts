import { createHash, randomBytes } from 'node:crypto'
import { cut } from '../../text/show-value.ts'
import { listHeader, splitTarget, type ResponseHead, type SentRequest } from '../exchange.ts'
import { readSettings, setHeader, type AuthScheme } from './auth-scheme.ts'

type Credentials = { username: string; password: string }

type Challenge = Record<string, string>

/** Hash algorithms, strongest first: those of RFC 7616, and SHA-512 as in httpbin. */
const algorithms = ['SHA-512', 'SHA-256', 'MD5']

/** HTTP Digest (RFC 7616): sends a request without credentials, then again with the answer to a challenge. */
export const digest: AuthScheme = (settings) => {
  const credentials = readSettings(settings, 'digest', ['username', 'password'])
  return {
    headers: ['authorization'],
    authorize: (request) => request,
    answer: (request, head) => answerChallenge(request, head, credentials),
  }
}

function answerChallenge(
  request: SentRequest,
  { statusCode, headers }: ResponseHead,
  credentials: Credentials,
): SentRequest | string | undefined {
  if (statusCode !== 401) return undefined
  const lines = listHeader(headers, 'www-authenticate')
  const challenges = lines.flatMap(readChallenges)
  for (const algorithm of algorithms) {
    const challenge = challenges.find((each) => readAlgorithm(each) === algorithm)
    if (challenge !== undefined)
      return setHeader(request, 'authorization', compute(request, challenge, credentials))
  }
  const told = cut(lines.join(', '), 500)
  const found = lines.length === 0 ? 'no `www-authenticate`' : `\`www-authenticate: ${told}\``
  return `The credentials of \`auth.digest\` were not sent: the 401 has ${found}, but no Digest challenge with \`qop\` auth and one of the algorithms ${algorithms.join(', ')}`
}

/** The Digest challenges in a `www-authenticate` line, without those that need a hash of the body. */
function readChallenges(line: string): Challenge[] {
  const challenges: Challenge[] = []
  let current: Challenge | undefined
  for (const match of line.matchAll(
    /(?<![\w-])(?:(?<scheme>[\w-]+)\s+)?(?<name>[\w-]+)\s*=\s*(?:"(?<quoted>(?:[^"\\]|\\.)*)"|(?<plain>[^\s,"]+))/g,
  )) {
    const { scheme, name = '', quoted, plain = '' } = match.groups ?? {}
    if (scheme !== undefined) {
      current = Object.create(null) as Challenge
      if (scheme.toLowerCase() === 'digest') challenges.push(current)
    }
    if (current !== undefined) current[name.toLowerCase()] = quoted?.replaceAll(/\\(.)/g, '$1') ?? plain
  }
  return challenges.filter(({ nonce, qop = '' }) => nonce !== undefined && /\bauth(?!-)\b/i.test(qop))
}

function readAlgorithm({ algorithm = 'MD5' }: Challenge): string {
  return algorithm.toUpperCase()
}

function compute({ method, url }: SentRequest, challenge: Challenge, credentials: Credentials): string {
  const { realm = '', nonce = '', algorithm, opaque } = challenge
  const username = toBytes(credentials.username)
  const hash = readAlgorithm(challenge).replace('SHA-', 'sha')
  const h = (...parts: string[]): string => createHash(hash).update(parts.join(':'), 'latin1').digest('hex')
  const [, uri] = splitTarget(url)
  const cnonce = randomBytes(16).toString('hex')
  const secret = h(username, realm, toBytes(credentials.password))
  const response = h(secret, nonce, '00000001', cnonce, 'auth', h(method, uri))
  const quoted = { username, realm, nonce, uri, response, opaque, cnonce }
  const parameters = [
    ...Object.entries(quoted).map(([name, value]) => value !== undefined && `${name}=${quote(value)}`),
    algorithm && `algorithm=${algorithm}`,
  ]
  return `Digest ${parameters.filter(Boolean).join(', ')}, qop=auth, nc=00000001`
}

/** UTF-8 bytes read as latin-1, as header values are, so that a realm goes back unchanged. */
function toBytes(text: string): string {
  return Buffer.from(text).toString('latin1')
}

function quote(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll(/[\r\n]/g, '')}"`
}
