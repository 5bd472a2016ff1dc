import { createBoundedCache } from '../interpolation/bounded-cache.ts'

const headers = new Set(['authorization', 'proxy authorization', 'cookie', 'set cookie', 'x api key'])

/** Ends like a secret and says true or false. */
const harmless = 'access control allow credentials'

/** Words that make a field secret when its name ends in one of them. */
const lastWords = new Set([
  'password',
  'passwd',
  'passphrase',
  'pwd',
  'secret',
  'token',
  'apikey',
  'credential',
  'jwt',
  'authorization',
])

const lastPairs = /(?:^| )(?:api|access|private|secret|signing|encryption|subscription) key$/

/**
 * Tells whether a header, variable or field name is secret by default: `authorization`, cookies, `x-api-key`, and names whose
 * last word is `password`, `secret`, `token`, `api_key` and the like (`client_secret`, `accessToken`; not `token_type`).
 */
export function isSecretNameByDefault(name: string): boolean {
  const known = answers.get(name)
  if (known !== undefined) return known
  const answer = endsInSecretWord(name)
  answers.set(name, answer)
  return answer
}

/** The same names come in every suite. */
const answers = createBoundedCache<boolean>(10_000)

function endsInSecretWord(name: string): boolean {
  const words = splitWords(name)
  if (words === harmless) return false
  const singular = words.endsWith('s') ? words.slice(0, -1) : words
  const last = singular.slice(singular.lastIndexOf(' ') + 1)
  return lastWords.has(last) || headers.has(words) || lastPairs.test(singular)
}

function splitWords(name: string): string {
  return name
    .slice(-128)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim()
}

/** True for `credentials` and the like: a map of this name holds secrets, and whose they are. */
export function isCredentialsName(name: string): boolean {
  return /(?:^| )credentials?$/.test(splitWords(name))
}

/** Members of credentials that say whose they are or what they are for. */
const openWords =
  /^(?:(?:user|client|tenant) ?(?:name|id)|user|login|e ?mail|name|type|(?:grant|token|auth) type|scopes?|roles?|url|expires in)$/

/** True for a member of credentials that is no secret: `username`, `client_id`, `grant_type`. */
export function isOpenName(name: string): boolean {
  return openWords.test(splitWords(name))
}

/** True for a value that only names a kind of secret (`password`, `token`): hidden in its place, but never searched for elsewhere. */
export function isSecretWord(value: string): boolean {
  return lastWords.has(value.toLowerCase())
}
