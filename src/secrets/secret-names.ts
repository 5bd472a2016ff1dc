import type { JsonLeaf, Secrecy } from '../safe-json.ts'
import { findTypo } from '../text/suggest.ts'

/** What takes the place of a secret in every output. */
export const mask = '[redacted]'

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

/** Tokens that lead through pages, and numbers of tokens. */
const openTokens =
  /(?:^| )(?:(?:page|next|continuation|cursor|sync) token|(?:max|min|total|prompt|completion|input|output|cached|reasoning|used|remaining) tokens)$/

/** Words that a map of such messages has in its name. */
const errorWord = /(?:^| )(?:errors?|violations?|invalid)(?: |$)/

const headers = new Set(['cookie', 'set cookie', 'x api key'])

const lastPairs = /(?:^| )(?:api|access|private|secret|signing|encryption|subscription) key$/

/** Users of most tests, and their passwords, also the wrong ones; schemes whose credentials are empty. */
const placeholders =
  /^(?:admin|administrator|bad|bearer|basic|changeme|default|demo|dummy|example|expired|fake|guest|incorrect|invalid|root|sample|test|unknown|user|wrong)$/i

/** Ends like a secret and says true or false. */
const harmless = 'access control allow credentials'

/** Members of credentials that say whose they are. */
const owners = /^(?:(?:user|client|tenant) ?(?:name|id)|user|login|e ?mail)$/

/** Members of credentials, tokens and the like, and of schemas of them, that say what they are for, in what state or of what shape. */
const describing =
  /^(?:in|name|title|label|description|type|kind|format|(?:grant|token|auth) type|scopes?|roles?|permissions?|groups?|url|status|state|active|enabled|expires|expires in|(?:\w+ )+(?:at|on|by)|(?:min|max) length)$/

/** Members of a request's `auth` that are secret there: elsewhere `basic` is a plan, and `bearer` a type. */
export const authMembers: readonly string[] = ['basic', 'bearer']

/** Tells how secret what is under a name is, given how secret its holder is. */
export type NameJudge = ((name: string, holder?: Secrecy) => Secrecy) & {
  /** Names to hide that nothing had so far, each with a name that is shown and all but the same. Each is given once. */
  takeMissed: () => [name: string, shown: string][]
}

/**
 * Judges names: those given are secret with all below them, and by default `authorization`, cookies, `x-api-key`, and names
 * whose last word is `password`, `secret`, `token`, `api_key` and the like (`client_secret`, `accessToken`; not `token_type`).
 */
export function createNameJudge(names: readonly (string | RegExp)[]): NameJudge {
  const signature = names.map(String).join('\0')
  const known = judges.get(signature) ?? makeJudge(names)
  if (judges.size >= 100) judges.clear()
  judges.set(signature, known)
  return known
}

/** The same names come with every suite. */
const judges = new Map<string, NameJudge>()

/** Names that were given by `takeMissed`. */
const missed = new Set<string>()

function makeJudge(names: readonly (string | RegExp)[]): NameJudge {
  const exact = new Set(names.filter((name) => typeof name === 'string').map((name) => name.toLowerCase()))
  // Without `g` and `y`, which would make `test` depend on the call before.
  const patterns = names
    .filter((name) => name instanceof RegExp)
    .map((name) => new RegExp(name.source, name.flags.replaceAll(/[gy]/g, '')))
  const answers = new Map<string, Secrecy>()
  const isNamed = (name: string): boolean =>
    exact.has(name.toLowerCase()) || patterns.some((pattern) => pattern.test(name.slice(0, 256)))
  const judge = (name: string, holder: Secrecy = false): Secrecy => {
    if (holder === true) return true
    let answer = answers.get(name)
    if (answer === undefined) {
      answer = isNamed(name) || judgeByDefault(name)
      if (answers.size < 10_000) answers.set(name, answer)
    }
    if (holder === 'errors') return answer === 'value' ? 'about' : answer
    if (answer !== false || holder === false) return answer
    const words = splitWords(name)
    if (describing.test(words)) return false
    return holder !== 'members' || (!owners.test(words) && holder)
  }
  function takeMissed(): [name: string, shown: string][] {
    if (exact.size === 0) return []
    const seen = new Set(answers.keys().map((name) => name.toLowerCase()))
    const shown = [...answers].flatMap(([name, answer]) => (answer === false ? name : []))
    return [...exact].flatMap((name) => {
      const near = seen.has(name) || missed.has(name) ? undefined : findTypo(name, shown)
      if (near === undefined) return []
      missed.add(name)
      return [[name, near]]
    })
  }
  return Object.assign(judge, { takeMissed })
}

/** Of `credentials` and the like, what does not only say whose they are is secret. */
function judgeByDefault(name: string): Secrecy {
  const words = splitWords(name)
  if (words === harmless) return false
  const singular = words.endsWith('s') ? words.slice(0, -1) : words
  const last = singular.slice(singular.lastIndexOf(' ') + 1)
  if (headers.has(words) || last === 'jwt' || last === 'authorization') return true
  if (!lastWords.has(last) && !lastPairs.test(singular)) return errorWord.test(words) ? 'errors' : false
  if (openTokens.test(words)) return false
  if (words !== singular || last === 'credential') return 'members'
  // `body.errors.password`
  return errorWord.test(words) ? 'about' : 'value'
}

/** True for what must not be shown, or not all of it. */
export function isSecret(secret: Secrecy): boolean {
  return secret !== false && secret !== 'errors'
}

/** Three words or more, of which the first has letters only: `can't be blank`, `This field is required.` */
const sentence = /^\p{L}[\p{L}'’]*(?: [\p{L}\d'’(),.:;!?"<>=/%-]+){2,}$/u

/** Words, or one that has letters only: what a map of errors says of a field. */
const remark = /\S\s+\S|^[a-z_.-]+$/i

/** True for a value that is hidden, given how secret its place is. */
export function isHidden(value: JsonLeaf, secret: Secrecy): boolean {
  if (secret === 'items') return typeof value !== 'string' || !sentence.test(value)
  if (secret === 'about') return typeof value === 'string' && !remark.test(value)
  return isSecret(secret)
}

function splitWords(name: string): string {
  return name
    .slice(-128)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim()
}

/** True for a value that only names a kind of secret (`password`, `token`) or a scheme, or is a user's name in most tests: hidden in its place, but never searched for elsewhere. */
export function isSecretWord(value: string): boolean {
  const word = value.trim().toLowerCase()
  return lastWords.has(word) || placeholders.test(word)
}

/** True for a value that nobody would write as an example or as a word: of eight characters or more, with a digit unless it is a long one. */
export function looksSecret(value: string): boolean {
  return value.length >= 8 && !/^[{$:<]/.test(value) && (/\d/.test(value) || value.length >= 20)
}

/** An address without credentials and query, whose path has short parts only: longer ones can be keys. */
const address = /^https?:\/\/[\w.:[\]-]+(?:\/[\w.-]{0,12})*$/i

const stage = /^(?:production|prod|staging|stage|development|dev|local|ci|true|false)$/i

/** True for the value of an environment variable that is no secret: an address, or a word such as `test` or `staging`. */
export function isOpenSetting(value: string): boolean {
  return address.test(value) || stage.test(value) || isSecretWord(value)
}

// Cookie values shorter than this are more often settings (`theme=dark`) than secrets.
const shortestCookie = 8

// Behind a scheme, shorter ones are searched for together with it.
const shortestCredentials = 8

/**
 * Lists what in a secret value is secret by itself: the credentials behind a scheme (`Bearer x`), user's password of Basic
 * credentials (RFC 7617), or else the whole and the values of cookies (RFC 6265).
 */
export function listSecretParts(value: string): string[] {
  const [, scheme = '', credentials] =
    /^(bearer|basic|digest|token|apikey)\s+(\S.*)$/is.exec(value.trim()) ?? []
  if (credentials !== undefined && credentials.length >= shortestCredentials)
    return /basic/i.test(scheme) ? [credentials, ...decodeBasic(credentials)] : [credentials]
  return [value, ...listCookieValues(value)]
}

function decodeBasic(credentials: string): string[] {
  if (!/^[\w+/=-]+$/.test(credentials)) return []
  const text = Buffer.from(credentials, 'base64').toString()
  const colon = text.indexOf(':')
  return colon === -1 ? [] : [text, text.slice(colon + 1)]
}

function listCookieValues(value: string): string[] {
  if (!/^[\w!#$%&'*.^`|~+-]+=/.test(value)) return []
  return value
    .split(';')
    .filter((pair) => pair.includes('=') && !/^\s*(?:path|domain|expires|max-age|samesite)=/i.test(pair))
    .map((pair) => pair.slice(pair.indexOf('=') + 1).trim())
    .filter((text) => text.length >= shortestCookie)
}

/** Names of types and bounds, which checks such as `type` and `minLength` expect of secret fields: no secrets. */
export const harmlessOperand: RegExp =
  /^(?:string|number|integer|boolean|object|array|null|(?:>|<|>=|<=) [\d.]+)$/

/** Names of checks that say nothing of the value they judge: their operands are no secrets, also of a secret field. */
export const outsideCheck: RegExp = /^(?:(?:min|max)_?length|length|type|exists|not_?empty)$/i

/** True for values that name or compute the secret instead of being it. */
export function isReference(value: string): boolean {
  const text = value.trim().replace(/^(?:bearer|basic|digest|token)\s+/i, '')
  return (
    isTemplate(text) ||
    /^(?:true|false|null|~)$/.test(text) ||
    // A path with a function, filter or pipe.
    /^(?:[a-z_]+\([^\n]*\b(?:body|headers)\b|(?:body|headers)[.[][^\n]*(?:\[\?|\s\|\s|`))/.test(text) ||
    // A path ends with its text, or with its part of a YAML flow map.
    /^(?:body|headers|status_code|request|response|variables)(?:$|[.[][\w.[\]*@"'-]*(?:$|\s*[,}]))/.test(
      text,
    ) ||
    // What authors write instead of these; a word with digits may be a secret.
    /^(?:\$|resp?|header|cookies|data|json)(?:\.[a-z_-]{1,30}|\[\d+\])+(?:$|\s*[,}])/i.test(text)
  )
}

/** True for text that consists of `{{…}}` only (perhaps behind a scheme such as `Bearer`), is empty or is redacted already. */
export function isTemplate(value: string): boolean {
  const text = value.trim().replace(/^(?:bearer|basic|digest|token)\s+/i, '')
  return text === '' || text === mask || /^(?:\{\{(?:(?!\}\}).)*\}\}[\s:;,]*)+$/.test(text)
}

/** The names in the `redact` list of a suite file, read without a parser: the file is broken. */
export function readOwnNames(text: string): string[] {
  const [, inline, block] =
    /^redact:[ \t]*(?:\[([^\]]*)\]|((?:\r?\n[ \t]*-[ \t][^\r\n]*)+))/m.exec(text) ?? []
  const names = (inline ?? block ?? '').split(/[,\n]/)
  return names
    .map((name) => name.replace(/^\s*-\s/, '').replaceAll(/\s#.*$|['"\s]/g, ''))
    .filter((name) => name)
}
