import { createBoundedCache } from '../interpolation/expressions/bounded-cache.ts'
import type { Secrecy } from '../safe-json.ts'

/** What stands in place of a secret in every output. */
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

const headers = new Set(['cookie', 'set cookie', 'x api key'])

const lastPairs = /(?:^| )(?:api|access|private|secret|signing|encryption|subscription) key$/

/** Ends like a secret and says true or false. */
const harmless = 'access control allow credentials'

/** Members of credentials that say whose they are or what they are for. */
const openWords =
  /^(?:(?:user|client|tenant) ?(?:name|id)|user|login|e ?mail|name|type|(?:grant|token|auth) type|scopes?|roles?|url|expires in)$/

/** Members of a request's `auth` that are secret there: elsewhere `basic` is a plan, and `bearer` a type. */
export const authMembers: readonly string[] = ['basic', 'bearer']

/** Tells how secret what stands under names is. */
export type NameJudge = {
  /** The answer for a name, given how secret its holder is. */
  judge: (name: string, holder?: Secrecy) => Secrecy
  /** False for two characters that no secret name ends in: most names are told by them alone. */
  mayEnd: (last: number, lastButOne: number) => boolean
}

/**
 * Judges names: those given are secret with all below them, and by default `authorization`, cookies, `x-api-key`, and names
 * whose last word is `password`, `secret`, `token`, `api_key` and the like (`client_secret`, `accessToken`; not `token_type`).
 */
export function createNameJudge(names: readonly (string | RegExp)[]): NameJudge {
  const signature = names.map(String).join('\0')
  const known = judges.get(signature) ?? makeJudge(names)
  judges.set(signature, known)
  return known
}

/** The same names come with every suite. */
const judges = createBoundedCache<NameJudge>(100)

function makeJudge(names: readonly (string | RegExp)[]): NameJudge {
  const exact = new Set(names.filter((name) => typeof name === 'string').map((name) => name.toLowerCase()))
  // Without `g` and `y`, which would make `test` depend on the call before.
  const patterns = names
    .filter((name) => name instanceof RegExp)
    .map((name) => new RegExp(name.source, name.flags.replaceAll(/[gy]/g, '')))
  const answers = new Map<string, Secrecy>()
  const isNamed = (name: string): boolean =>
    exact.has(name.toLowerCase()) || patterns.some((pattern) => pattern.test(name.slice(0, 256)))
  const endings = listEndings([...exact, ...lastWords, 'cookie', 'key', ...authMembers])
  return {
    judge(name, holder = false) {
      if (holder === true) return true
      let answer = answers.get(name)
      if (answer === undefined) {
        answer = isNamed(name) || judgeByDefault(name)
        if (answers.size < 10_000) answers.set(name, answer)
      }
      return answer === false && holder === 'members' && !openWords.test(splitWords(name)) ? holder : answer
    },
    mayEnd: (last, lastButOne) =>
      patterns.length > 0 || !isLetter(last) || endings[hashEnding(last, lastButOne)] === 1,
  }
}

/** Of `credentials` and the like, what does not only say whose they are is secret. */
function judgeByDefault(name: string): Secrecy {
  const words = splitWords(name)
  if (words === harmless) return false
  const singular = words.endsWith('s') ? words.slice(0, -1) : words
  const last = singular.slice(singular.lastIndexOf(' ') + 1)
  if (last === 'credential') return 'members'
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

function listEndings(words: readonly string[]): Uint8Array {
  const endings = new Uint8Array(65_536)
  for (const word of words.flatMap((word) => [word, `${word}s`])) {
    const last = word.charCodeAt(word.length - 1)
    // Anything can stand before a name of one letter.
    const before =
      word.length === 1 ? Array.from({ length: 256 }, (_, unit) => unit) : [word.charCodeAt(word.length - 2)]
    for (const unit of before) endings[hashEnding(last, unit)] = 1
  }
  return endings
}

function isLetter(unit: number): boolean {
  return (unit | 32) >= 97 && (unit | 32) <= 122
}

/** Of either case. */
function hashEnding(last: number, lastButOne: number): number {
  return (((lastButOne | 32) & 255) << 8) | ((last | 32) & 255)
}

/** True for a value that only names a kind of secret (`password`, `token`): hidden in its place, but never searched for elsewhere. */
export function isSecretWord(value: string): boolean {
  return lastWords.has(value.toLowerCase())
}
