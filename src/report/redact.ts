import { isNumber, type Json, type JsonObject } from '../json.ts'
import { copyJson, type CopyOptions, type JsonLeaf, type Secrecy } from './copy-json.ts'
import { mask } from './mask.ts'
import { decodePercent } from './percent-view.ts'
import { isReference, isTemplate, redactPairs } from './redact-pairs.ts'
import { listSecretForms, shortestSearched } from '../request/secret-forms.ts'
import { isCredentialsName, isOpenName, isSecretNameByDefault, isSecretWord } from './secret-names.ts'
import { listSecretParts } from './secret-parts.ts'
import { createTextMatcher } from './text-matcher.ts'

export type RedactorOptions = {
  /** Values to hide wherever they occur. Values shorter than 4 characters cannot be searched for. */
  secrets?: Iterable<string>
  /** Header, variable and field names whose values are secret, added to the defaults; names ignore case. */
  names?: readonly (string | RegExp)[]
  /** `false` turns all of it off. @default true */
  enabled?: boolean
}

/** Depth and size at which `redactJson` cuts; without them it keeps everything. */
export type JsonBounds = Pick<CopyOptions, 'maxDepth' | 'maxBytes'>

/** Hides secrets. All of its functions return what they got when redaction is off. */
export type Redactor = {
  /** Hides one more value in everything redacted from now on. */
  addSecret: (value: string) => void
  /** Notes the values of secret names anywhere in `value` (headers, bodies, variables), so that they are hidden in raw text as well. */
  learn: (value: Json) => void
  isSecretName: (name: string) => boolean
  /** Hides known values in a text, in every spelling `listSecretForms` knows. */
  redactText: (text: string) => string
  /** Like `redactText`, and hides what stands behind a secret name (`password=…`, `Cookie: …`): for raw HTTP, curl, YAML. */
  redactSource: (text: string) => string
  /** Hides known values in all strings, numbers and keys, and everything under a secret name. Depth does not matter. */
  redactJson: <T extends Json>(value: T, bounds?: JsonBounds) => T
  /** All values known by now. */
  secrets: () => string[]
}

// A server can answer with any number of "tokens"; those beyond this are hidden under their names, not searched for elsewhere.
const mostLearned = 10_000

/** Creates a redactor; what it replaces reads `[redacted]`. Time is linear in the text, whatever the number of secrets. */
export function createRedactor({ secrets = [], names = [], enabled = true }: RedactorOptions = {}): Redactor {
  const known = new Set<string>()
  const learned = new Set<string>()
  const matcher = createTextMatcher()
  const judgeKey = createKeyJudge(names)
  const isSecretName = (name: string): boolean => judgeKey(name, false) !== false

  function addSecret(value: string): void {
    if (value.length < shortestSearched || known.has(value)) return
    known.add(value)
    for (const form of listSecretForms(value)) matcher.add(form)
  }

  function learnText(value: string): void {
    // The same values come with every step.
    if (learned.has(value)) return
    if (learned.size < mostLearned && value.length < 1000) learned.add(value)
    for (const part of listSecretParts(value)) if (!isSecretWord(part) && !isReference(part)) addSecret(part)
  }

  function learn(root: Json): void {
    const pending: [value: Json, secret: Secrecy][] = [[root, false]]
    // Variables can share parts, so often that a walk through all of them would not end.
    const seen = { secret: new Set<object>(), members: new Set<object>(), open: new Set<object>() }
    for (let next = pending.pop(); next && known.size < mostLearned; next = pending.pop()) {
      const [value, secret] = next
      if (typeof value === 'object' && value !== null) {
        const before = secret === 'members' ? seen.members : secret ? seen.secret : seen.open
        if (before.has(value)) continue
        before.add(value)
        for (const key of Object.keys(value)) {
          const part = (value as JsonObject)[key] as Json
          const isSecret = Array.isArray(value) ? secret : judgeKey(key, secret)
          // Most values are neither.
          if (isSecret !== false || (typeof part === 'object' && part !== null))
            pending.push([part, isSecret])
        }
      } else if (secret !== false && (typeof value === 'string' || isNumber(value))) learnText(String(value))
    }
  }

  function redactText(text: string): string {
    if (known.size === 0 || text.length < shortestSearched) return text
    let result = maskPlaces(text, matcher.find(text))
    for (const plus of [false, true]) {
      const view = decodePercent(result, plus)
      const places = view ? matcher.find(view.text) : []
      if (view && places.length > 0) result = maskPlaces(result, places.map(view.locate))
    }
    return result
  }

  function redactLeaf(value: JsonLeaf, secret: boolean): JsonLeaf {
    if (typeof value === 'string') return secret && !isTemplate(value) ? mask : redactText(value)
    if (typeof value !== 'number' && typeof value !== 'bigint') return value
    return secret || matcher.find(String(value)).length > 0 ? mask : value
  }

  const rewrite = { leaf: redactLeaf, key: redactText, judgeKey }
  for (const secret of enabled ? secrets : []) addSecret(secret)
  if (!enabled) return createIdleRedactor()
  return {
    addSecret,
    learn,
    isSecretName,
    redactText,
    redactSource: (text) => redactPairs(redactText(text), isSecretName),
    redactJson: <T extends Json>(value: T, bounds: JsonBounds = {}) =>
      copyJson(value, { ...bounds, rewrite }) as T,
    secrets: () => [...known],
  }
}

function maskPlaces(text: string, places: readonly number[]): string {
  if (places.length === 0) return text
  let result = ''
  let done = 0
  for (let index = 0; index < places.length; index += 2) {
    result += text.slice(done, places[index]) + mask
    done = places[index + 1] as number
  }
  return result + text.slice(done)
}

/** Tells how secret what stands under a name is: by the names given, which are secret with all below them, and by default. */
function createKeyJudge(names: readonly (string | RegExp)[]): (name: string, holder: Secrecy) => Secrecy {
  const exact = new Set(names.filter((name) => typeof name === 'string').map((name) => name.toLowerCase()))
  // Without `g` and `y`, which would make `test` depend on the call before.
  const patterns = names
    .filter((name) => name instanceof RegExp)
    .map((name) => new RegExp(name.source, name.flags.replaceAll(/[gy]/g, '')))
  const answers = new Map<string, Secrecy>()
  const judge = (name: string): Secrecy => {
    if (exact.has(name.toLowerCase()) || patterns.some((pattern) => pattern.test(name.slice(0, 256))))
      return true
    return isSecretNameByDefault(name) && (isCredentialsName(name) ? 'members' : true)
  }
  return (name, holder) => {
    if (holder === true) return true
    let answer = answers.get(name)
    if (answer === undefined) {
      answer = judge(name)
      if (answers.size < 10_000) answers.set(name, answer)
    }
    return answer === false && holder === 'members' ? (isOpenName(name) ? false : holder) : answer
  }
}

function createIdleRedactor(): Redactor {
  return {
    addSecret() {},
    learn() {},
    isSecretName: () => false,
    redactText: (text) => text,
    redactSource: (text) => text,
    redactJson: <T extends Json>(value: T, bounds: JsonBounds = {}) => copyJson(value, bounds) as T,
    secrets: () => [],
  }
}
