import { isNumber, type Json, type JsonObject } from '../json.ts'
import { rememberTexts } from '../remember.ts'
import { copyJson, isSafeJson, ofItems, type JsonLeaf, type Secrecy } from '../safe-json.ts'
import { redactElements, redactPairs, redactPasswords } from './redact-source.ts'
import {
  createNameJudge,
  harmlessOperand,
  isHidden,
  isReference,
  isSecret,
  isSecretWord,
  isTemplate,
  looksSecret,
  mask,
} from './secret-names.ts'
import { listSecretParts, measureOpen } from './secret-parts.ts'
import { createSecretSearch, type SecretSearch } from './secret-search.ts'
import type { Hit } from './text-matcher.ts'

export type RedactorOptions = {
  /** Names of headers, variables and fields with secret values, besides the defaults. Case, `-` and `_` are ignored. */
  names?: readonly (string | RegExp)[]
  /** A shared search: each suite's redactor then hides the secrets of all suites. */
  search?: SecretSearch | undefined
  /** `false` turns redaction off. @default true */
  enabled?: boolean
}

/** Hides secrets. Texts without any are returned as they are, and everything is when redaction is off. */
export type Redactor = ReturnType<typeof createRedactor>

// A server can answer with any number of "tokens"; those beyond this are hidden only under their names.
const mostLearned = 10_000

/** Beyond this count, objects are visited once: variables can share parts so often that a walk never ends. */
const fewObjects = 100_000

/** An absolute URL, or a path, with parameters in its query or fragment (RFC 3986, 3.4 and 3.5). */
const address = /^(?:[a-z][a-z\d+.-]*:\/\/|\/)[^\s?#"<>]*[?#]([^\s"<>]*)$/i

/** The name of a value, and its secrecy. */
type Judged = readonly [name: string, secret: Secrecy]

/** Creates a redactor, which replaces secrets with `[redacted]` in linear time, however many there are. */
export function createRedactor({ names = [], search: shared, enabled = true }: RedactorOptions = {}) {
  const learned = new Set<string>()
  /** Visited members without a secret name, of values that are passed again and again. */
  const seenMembers = new WeakSet<object>()
  // When off, no name is secret, and no secret is known.
  const judge = enabled ? createNameJudge(names) : (): Secrecy => false
  const search = (enabled && shared) || createSecretSearch()

  function learnText(value: string, name: string): void {
    // The same values come again with every step.
    if (!enabled || learned.has(value)) return
    if (learned.size < mostLearned && value.length < 1000) learned.add(value)
    for (const part of listSecretParts(value))
      if (!isSecretWord(part) && !isReference(part)) search.add(part, name, measureOpen(part, value, name))
  }

  /** Learns secrets from the parameters of a URL, and of URLs in these. It may be an example, so only likely secrets count. */
  function learnAddress(text: string): void {
    // The length and the `=` rule out most texts.
    const found = text.length <= 4096 && text.includes('=') ? address.exec(text)?.[1] : undefined
    if (found === undefined) return
    for (const [name, value] of new URLSearchParams(found.replaceAll(/[?#]/g, '&'))) {
      if (isHidden(value, judge(name)) && looksSecret(value)) learnText(value, name)
      learnAddress(value)
    }
  }

  /** Learns the values under secret names in `root`. `comesAgain`: it comes with every step, like variables; parts seen before are skipped. */
  function learn(root: Json, comesAgain = false, judged: Judged = ['', false]): void {
    if (!enabled) return
    let seen: Map<object, Secrecy[]> | undefined
    let count = 0
    const visit = (value: Json, name: string, secret: Secrecy): void => {
      // When full, only top-level variables are learnt: passwords in their URLs are hidden in no other way.
      if (search.known.size >= mostLearned && !(comesAgain && value === root)) return
      if (typeof value !== 'object' || value === null) {
        if ((typeof value === 'string' || isNumber(value)) && isHidden(value, secret))
          learnText(String(value), name)
        return
      }
      count += 1
      if (count > fewObjects) {
        seen ??= new Map()
        const before = seen.get(value) ?? []
        if (before.includes(secret)) return
        seen.set(value, [...before, secret])
      }
      const isList = Array.isArray(value)
      for (const key of Object.keys(value)) {
        const part = (value as JsonObject)[key] as Json
        const isSecret = isList ? ofItems(secret) : judge(key, secret, value)
        if (typeof part === 'string') {
          redactPasswords(part, learnText)
          learnAddress(part)
        }
        const isObject = typeof part === 'object' && part !== null
        if (comesAgain && value === root && isObject && isSecret === false) {
          if (seenMembers.has(part)) continue
          seenMembers.add(part)
        }
        if (isSecret !== false || isObject) visit(part, (!isList && key) || name, isSecret)
      }
    }
    visit(root, ...judged)
  }

  /** Judges a checked field by its last two names: the last may be the operator. A condition is no field. */
  const judgeField = rememberTexts(mostLearned, (field): Judged => {
    const path = checkedField.test(field) ? field : ''
    const names = path.match(/[^.[\]]+/g)?.filter((name) => !/^\d+$/.test(name)) ?? []
    const holder = names.some((name) => judge(name) === 'errors') && 'errors'
    const name = names.slice(-2).find((each) => isSecretName(each)) ?? ''
    const secret = judge(name, holder)
    return [name, secret === 'value' && /\[\d+\]/.test(path) ? 'items' : secret]
  })

  function isSecretName(name: string): boolean {
    return isSecret(judge(name))
  }

  /** Hides known values in a text, in every spelling that the search knows. */
  function redactText(text: string): string {
    return maskPlaces(text, search.find(text))
  }

  function redactLeaf(value: JsonLeaf, secret: Secrecy): JsonLeaf {
    if (typeof value === 'string')
      return isHidden(value, secret) && !isTemplate(value) ? mask : redactText(value)
    if (typeof value !== 'number' && typeof value !== 'bigint') return value
    return isHidden(value, secret) || (search.holdsNumbers && search.find(String(value)).length > 0)
      ? mask
      : value
  }

  const rewrite = { leaf: redactLeaf, key: redactText, judgeKey: judge }

  /** Hides known values and everything under secret names. Cuts what is deeper than 500 levels or beyond `maxBytes`. */
  function redactJson<T extends Json>(value: T, { maxBytes = Infinity }: { maxBytes?: number } = {}): T {
    return !enabled && isSafeJson(value, maxBytes) ? value : (copyJson(value, { maxBytes, rewrite }) as T)
  }

  /** Like `redactText`, but also hides values after secret names (`password=…`): for raw HTTP, curl, YAML. */
  function redactSource(text: string): string {
    return enabled ? redactElements(redactPasswords(redactPairs(redactText(text), judge)), judge) : text
  }

  return {
    /** Hides one more value from now on. It is known under `name`. */
    addSecret: learnText,
    learn,
    /** Like `learn`, for secret names in the text of a suite file, even one that cannot be parsed. */
    learnSource(text: string): void {
      redactPairs(text, judge, (value, name) => {
        // What a check of `set-cookie` contains may be the name of a cookie only.
        if (/set-?cookie/i.test(name) && /^[a-z._-]+=?$/i.test(value)) return
        learnText(value, name)
        // In a map on one line, the value ends where the next entry starts.
        const [scalar = ''] = value.split(/[,}\]]/, 1)
        learnText(scalar.trim(), name)
      })
      redactPasswords(text, learnText)
      redactElements(text, judge, learnText)
    },
    /** Like `learn`, for elements of XML and HTML. */
    learnMarkup: (text: string) => void redactElements(text, judge, learnText),
    /** Like `learn`, for the value that a check expects of a field such as `body.user.token.equals`. */
    learnField(field: string, value: Json): void {
      if (typeof value === 'string' && harmlessOperand.test(value)) return
      learn(value, false, judgeField(field))
    },
    isSecretName,
    redactText,
    redactSource,
    redactJson,
    /** Hides the value of a checked field with a secret name, but not an expected type or bound. */
    redactField(field: string, value: Json): Json {
      const [, secret] = judgeField(field)
      if (!isSecret(secret) || typeof value === 'boolean' || value === null) return redactJson(value)
      if (Array.isArray(value) || (typeof value !== 'object' && !isHidden(value, secret)))
        return copyJson(value, { rewrite, secret })
      return typeof value === 'string' && (harmlessOperand.test(value) || isTemplate(value)) ? value : mask
    },
    /** All known secrets by their values. */
    known: search.known,
    takeNew: search.takeNew,
  }
}

const checkedField = /^(?:body|headers|cookies|redirects|xpath|css|events|messages?|responses)\b/

function maskPlaces(text: string, places: readonly Hit[]): string {
  let result = ''
  let done = 0
  for (const [start, end] of places) {
    result += text.slice(done, start) + mask
    done = end
  }
  return result + text.slice(done)
}
