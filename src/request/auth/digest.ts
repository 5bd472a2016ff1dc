import { createHash, randomBytes } from 'node:crypto'
import { splitTarget, type ResponseHead, type SentRequest } from '../exchange.ts'
import { readSettings, setHeader, type AuthScheme } from './auth-scheme.ts'

type Credentials = { username: string; password: string }
type Challenge = Map<string, string>

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
    const challenge = challenges.find((one) => readAlgorithm(one).replace(/-SESS$/, '') === name)
    if (challenge !== undefined)
      return setHeader(request, 'authorization', compute(request, challenge, { hash, ...credentials }))
  }
  const found = lines.length === 0 ? 'no `www-authenticate`' : `\`www-authenticate: ${lines.join(', ')}\``
  return `The credentials of \`auth.digest\` were not sent: the 401 has ${found}, and not a Digest challenge with one of the algorithms ${[...hashes.keys()].join(', ')}`
}

function readAlgorithm(challenge: Challenge): string {
  return challenge.get('algorithm')?.toUpperCase() ?? 'MD5'
}

/** The parameters of each Digest challenge in a `www-authenticate` line, which may hold challenges of other schemes too. */
function readChallenges(line: string): Challenge[] {
  const challenges: Challenge[] = []
  let current: Challenge | undefined
  for (const match of line.matchAll(
    /(?:(?<scheme>[\w-]+)\s+)?(?<name>[\w-]+)\s*=\s*(?:"(?<quoted>(?:[^"\\]|\\.)*)"|(?<plain>[^\s,"]+))/g,
  )) {
    const { scheme, name = '', quoted, plain = '' } = match.groups ?? {}
    if (scheme !== undefined) {
      current = scheme.toLowerCase() === 'digest' ? new Map() : undefined
      if (current !== undefined) challenges.push(current)
    }
    current?.set(name.toLowerCase(), quoted?.replaceAll(/\\(.)/g, '$1') ?? plain)
  }
  return challenges.filter((challenge) => challenge.has('nonce'))
}

function compute(
  { method, url, body }: SentRequest,
  challenge: Challenge,
  { hash, username, password }: Credentials & { hash: string },
): string {
  const h = (...parts: (string | Uint8Array)[]): string => {
    const hasher = createHash(hash)
    for (const [index, part] of parts.entries()) hasher.update(index === 0 ? '' : ':').update(part)
    return hasher.digest('hex')
  }
  const realm = challenge.get('realm') ?? ''
  const nonce = challenge.get('nonce') ?? ''
  const [, uri] = splitTarget(url)
  const cnonce = randomBytes(16).toString('hex')
  const offered =
    challenge
      .get('qop')
      ?.toLowerCase()
      .split(/[\s,]+/) ?? []
  const qop = offered.includes('auth') ? 'auth' : offered.includes('auth-int') ? 'auth-int' : undefined
  const isSession = readAlgorithm(challenge).endsWith('-SESS')
  const who = h(username, realm, password)
  const a1 = isSession ? h(who, nonce, cnonce) : who
  const a2 = qop === 'auth-int' ? h(method, uri, h(body ?? '')) : h(method, uri)
  const nc = '00000001'
  const response = qop === undefined ? h(a1, nonce, a2) : h(a1, nonce, nc, cnonce, qop, a2)
  const isHashed = challenge.get('userhash')?.toLowerCase() === 'true'
  const parameters: [string, string | undefined][] = [
    ['username', quote(isHashed ? h(username, realm) : username)],
    ['realm', quote(realm)],
    ['nonce', quote(nonce)],
    ['uri', quote(uri)],
    ['response', quote(response)],
    ['algorithm', challenge.get('algorithm')],
    ['opaque', challenge.has('opaque') ? quote(challenge.get('opaque') ?? '') : undefined],
    ['qop', qop],
    ['nc', qop && nc],
    ['cnonce', qop || isSession ? quote(cnonce) : undefined],
    ['userhash', isHashed ? 'true' : undefined],
  ]
  const given = parameters.filter(([, value]) => value !== undefined)
  return `Digest ${given.map(([name, value]) => `${name}=${value}`).join(', ')}`
}

/** Bytes of UTF-8, as header values are latin-1. */
function quote(text: string): string {
  const escaped = text.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll(/[\r\n]/g, '')
  return `"${Buffer.from(escaped).toString('latin1')}"`
}
