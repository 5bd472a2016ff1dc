import { createPatternTest } from '../interpolation/expressions/pattern.ts'
import { rememberTexts } from '../remember.ts'
import type { JsonObject } from '../json.ts'
import { ofItems, type JsonLeaf, type Secrecy } from '../safe-json.ts'
import { describesValue, givesValue } from './describes-value.ts'

/** Replaces a secret in every output. */
export const mask = '[redacted]'

/** A name that ends in one of these words is secret. */
const lastWord = /^(?:password|passwd|passphrase|pwd|secret|token|apikey|credential|jwt|authorization)$/

/** Pagination tokens and token counts, which are not secret. */
const openTokens =
  /(?:^| )(?:(?:page|next|continuation|cursor|sync) token|(?:max|min|total|prompt|completion|input|output|cached|reasoning|used|remaining) tokens)$/

/** Words in the names of maps of error messages. */
const errorWord = /(?:^| )(?:errors?|violations?|invalid)(?: |$)/

const headers = new Set(['cookie', 'set cookie', 'x api key'])

const lastPairs = /(?:^| )(?:api|access|private|secret|signing|encryption|subscription) key$/

/** Not secrets by themselves: usual user names and passwords of tests, schemes, HTTP methods. */
const placeholders =
  /^(?:admin|administrator|bad|bearer|basic|changeme|default|delete|demo|dummy|example|expired|fake|guest|incorrect|invalid|none|patch|post|root|sample|test|unknown|user|wrong)$/i

/** Members of credentials that name their owner. */
const owners = /^(?:(?:user|client|tenant) ?(?:name|id)|user|login|e ?mail)$/

/** Members of credentials, tokens and their schemas that describe their purpose, state or shape. */
const describing =
  /^(?:in|name|title|label|description|type|kind|format|path|xpath|css|(?:grant|token|auth) type|scopes?|roles?|permissions?|groups?|url|status|state|active|enabled|expires|expires in|(?:\w+ )+(?:at|on|by)|(?:min|max) length)$/

/** Members of a request's `auth` that are secret there. Elsewhere, `basic` can be a plan, `bearer` a type. */
export const authMembers: readonly string[] = ['basic', 'bearer']

/** The secrecy of the value under a name, given that of the object around it, and this object. */
export type NameJudge = (name: string, holder?: Secrecy, map?: JsonObject) => Secrecy

/**
 * Creates a judge of names. Secret are the given names with everything below them, `authorization`, cookies, `x-api-key`, and
 * names whose last word is `password`, `token` or the like (`client_secret` and `accessToken`, but not `token_type`).
 */
export function createNameJudge(names: readonly (string | RegExp)[]): NameJudge {
  const signature = names.join('\0')
  const judge = judges.get(signature) ?? makeJudge(names)
  if (judges.size >= 100) judges.clear()
  judges.set(signature, judge)
  return judge
}

/** Judges by their names: most suites have the same ones. */
const judges = new Map<string, NameJudge>()

function makeJudge(names: readonly (string | RegExp)[]): NameJudge {
  const exact = new Set(names.filter((name) => typeof name === 'string').map(joinWords))
  const patterns = names.filter((name) => name instanceof RegExp).map(testNames)
  const isNamed = (name: string): boolean =>
    exact.has(joinWords(name)) || patterns.some((matches) => matches(name.slice(0, 256)))
  const judgeAlone = rememberTexts(10_000, (name): Secrecy => isNamed(name) || judgeByDefault(name))
  return (name, around = false, map) => {
    const holder = ofItems(around)
    if (holder === true) return true
    if (isSecret(holder) && map && describesValue(map))
      return givesValue(map, name) ? 'value' : judgeAlone(name)
    if (holder === 'all') return 'all'
    const answer = judgeAlone(name)
    if (holder === 'errors') return answer === 'value' ? 'about' : answer
    if (answer !== false || holder === false) return answer
    const words = splitWords(name)
    if (describing.test(words)) return false
    return holder !== 'members' || (!owners.test(words) && holder)
  }
}

/** A name without what differs between `x-pin`, `x_pin` and `xPin`. */
function joinWords(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, '')
}

/** Tests a pattern for at most 500 ms. */
const testPattern = createPatternTest(500)

/** Matches names with a pattern. If a name takes too long, it and all names of its length or longer count as matching. */
function testNames({ source, flags }: RegExp): (name: string) => boolean {
  // With `y`, only the start of a name would match.
  const pattern = { source, flags: flags.replace('y', '') }
  let tooLong = Infinity
  return (name) => {
    if (name.length >= tooLong) return true
    try {
      return testPattern(pattern, name)
    } catch {
      tooLong = name.length
      return true
    }
  }
}

/** Judges a name by the defaults. In `credentials` or a plural, what describes them or names owners is not secret. */
function judgeByDefault(name: string): Secrecy {
  const words = splitWords(name)
  if (words === 'access control allow credentials') return false
  const singular = words.endsWith('s') ? words.slice(0, -1) : words
  const last = singular.slice(singular.lastIndexOf(' ') + 1)
  if (headers.has(words) || last === 'jwt' || last === 'authorization') return 'all'
  if (!lastWord.test(last) && !lastPairs.test(singular)) return errorWord.test(words) ? 'errors' : false
  if (openTokens.test(words)) return false
  if (words !== singular) return 'several'
  if (last === 'credential') return 'members'
  // Such as `body.errors.password`.
  return errorWord.test(words) ? 'about' : 'value'
}

/** True if at least a part of a value must be hidden. */
export function isSecret(secret: Secrecy): boolean {
  return secret !== false && secret !== 'errors'
}

/** Three words or more, the first of letters only: `can't be blank`, `This field is required.` */
const sentence = /^\p{L}[\p{L}'’]*(?: [\p{L}\d'’(),.:;!?"<>=/%-]+){2,}$/u

/** What an error says about a field: several words, or a single word without digits. */
const remark = /\S\s+\S|^[a-z_.-]+$/i

/** True if a value must be hidden where it has this secrecy. */
export function isHidden(value: JsonLeaf, secret: Secrecy): boolean {
  if (secret === 'items') return typeof value !== 'string' || !sentence.test(value)
  if (secret === 'several') return typeof value !== 'number'
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

/** True for values that are hidden in place but never searched for: see `lastWord` and `placeholders`. */
export function isSecretWord(value: string): boolean {
  const word = value.trim().toLowerCase()
  return lastWord.test(word) || placeholders.test(word)
}

/** True for a value that is unlikely to be an example or a word: 20 characters, or 8 with a digit. */
export function looksSecret(value: string): boolean {
  return value.length >= 8 && !/^[{$:<]/.test(value) && (/\d/.test(value) || value.length >= 20)
}

/** A URL without credentials or query, whose path has short segments only: longer ones can be keys. */
const address = /^https?:\/\/[\w.:[\]-]+(?:\/[\w.-]{0,12})*$/i

const stage = /^(?:production|prod|staging|stage|development|dev|local|ci|true|false)$/i

/** Names of variables that hold a part of an address. */
const partOfAddress = /(?:^|_)(?:host|hostname|domain|port|region)$/i

/** True for an environment variable that is not secret: a plain URL, a word such as `staging`, or a host or port by name. */
export function isOpenSetting(value: string, name = ''): boolean {
  if (partOfAddress.test(name) && /^[\w.:[\]-]+$/.test(value)) return true
  return address.test(value) || stage.test(value) || isSecretWord(value)
}

/** Types and bounds, which checks such as `type` and `minLength` expect of secret fields; not secret. */
export const harmlessOperand: RegExp =
  /^(?:string|number|integer|boolean|object|array|null|(?:>|<|>=|<=) [\d.]+)$/

/** Checks whose operands reveal nothing about the value, and sources of captures: they are not secret, even for a secret field. */
export const outsideCheck: RegExp = /^(?:(?:min|max)_?length|length|type|exists|not_?empty|css|xpath)$/i

/** True for values that name or compute a secret and do not contain it. */
export function isReference(value: string): boolean {
  const text = value.trim().replace(/^(?:bearer|basic|digest|token)\s+/i, '')
  return (
    isTemplate(text) ||
    /^(?:true|false|null|~)$/.test(text) ||
    // A path with a function, filter or pipe.
    /^(?:[a-z_]+\([^\n]*\b(?:body|headers)\b|(?:body|headers)[.[][^\n]*(?:\[\?|\s\|\s|`|\w\())/.test(text) ||
    // A path up to the end of the text, or of an entry in a YAML flow map.
    /^(?:body|headers|status_code|request|response|variables)(?:$|[.[][\w.[\]*@"'-]*(?:$|\s*[,}]))/.test(
      text,
    ) ||
    // Wrong names that authors write for these. Words with digits may be secrets.
    /^(?:\$|pm|resp?|response|header|cookies|data|json)(?:\.[a-z_-]{1,30}(?:\(\))?|\[\d+\])+(?:$|\s*[,}])/i.test(
      text,
    )
  )
}

/** True for text that is empty, redacted, or has only `{{…}}`, possibly after a scheme such as `Bearer`. */
export function isTemplate(value: string): boolean {
  const text = value.trim().replace(/^(?:bearer|basic|digest|token)\s+/i, '')
  return text === '' || text === mask || /^(?:\{\{(?:(?!\}\}).)*\}\}[\s:;,.]*)+$/.test(text)
}

/** The names in the `redact` list of a suite that cannot be parsed, read by a pattern. */
export function readOwnNames(text: string): string[] {
  const [, inline, block] =
    /^redact:[ \t]*(?:\[([^\]]*)\]|((?:\r?\n[ \t]*-[ \t][^\r\n]*)+))/m.exec(text) ?? []
  return (inline ?? block ?? '')
    .split(/[,\n]/)
    .map((name) => name.replace(/^\s*-\s/, '').replaceAll(/\s#.*|['"\s]/g, ''))
    .filter((name) => name)
}
