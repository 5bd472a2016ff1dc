import { isNumber, type Json, type JsonObject } from '../json.ts'
import { defineKey } from '../safe-json.ts'
import { mask } from './secret-names.ts'
import { createSecretSearch } from './secret-search.ts'

/** A secret that was found in an output, told without the secret. */
export type Leak = { start: number; end: number }

/** Finds places where one of the secrets stands in a text. */
export type LeakFinder = {
  findInText(text: string): Leak[]
  /** Paths (`steps_results[3].request_details.url`) of the strings and keys of a parsed JSON value that hold a secret. */
  findInJson(value: Json): string[]
  /** The value with `redactText` applied to all that `findInJson` would name. */
  hideInJson<Value extends Json>(value: Value, redactText: (text: string) => string): Value
}

/** Secrets shorter than this are not searched for when reports are checked: they occur by chance. */
export const shortestChecked = 6

/** Prepares the check of finished outputs for secrets of 6 characters or more, and first 12 characters of longer ones, in every spelling. */
export function createLeakFinder(secrets: Iterable<string>): LeakFinder {
  const search = createSecretSearch(shortestChecked)
  for (const secret of secrets) search.add(secret)
  const isIn = (text: string): boolean => search.find(text).length > 0
  return {
    findInText: (text) => toLeaks(search.find(text)),
    findInJson: (value) => listPaths(value, isIn),
    hideInJson: <Value extends Json>(value: Value, redactText: (text: string) => string) =>
      hide(value, { isIn, redactText, isForeign: false }) as Value,
  }
}

/** Finds the secrets of 6 characters or more in one text. */
export function findLeaks(text: string, secrets: Iterable<string>): Leak[] {
  return createLeakFinder(secrets).findInText(text)
}

function toLeaks(places: readonly number[]): Leak[] {
  const leaks: Leak[] = []
  for (let index = 0; index < places.length; index += 2) {
    leaks.push({ start: places[index] as number, end: places[index + 1] as number })
  }
  return leaks
}

/** Fields below which keys and numbers are the suite's or the server's; elsewhere they are ours. */
const foreign = new Set([
  'body',
  'headers',
  'params',
  'expected',
  'actual',
  'iteration',
  'captured_variables',
  'available_variables',
  'variables_captured',
])

/** Values that reports write themselves: a secret that reads the same does not leak through them. */
const ours =
  /^(?:success|failure|skipped|not_run|none|then|else|mocked|unhandled|passed_through|warning|acceptable|critical|high|medium|low|OK|\d{4}-\d\d-\d\dT[\d:.]+Z)$/

type Hiding = {
  isIn: (text: string) => boolean
  redactText: (text: string) => string
  isForeign: boolean
}

/** Written values are at most 500 levels deep. */
function hide(value: Json, hiding: Hiding): Json {
  const { isIn, redactText, isForeign } = hiding
  if (typeof value === 'string')
    return isIn(value) && (isForeign || !ours.test(value)) ? redactText(value) : value
  if (isNumber(value)) return isForeign && isIn(String(value)) ? mask : value
  if (Array.isArray(value)) return value.map((item) => hide(item, hiding))
  if (value === null || typeof value !== 'object') return value
  const hidden: JsonObject = {}
  for (const [key, member] of Object.entries(value)) {
    const name = isForeign && isIn(key) ? redactText(key) : key
    defineKey(hidden, name, hide(member, { ...hiding, isForeign: isForeign || foreign.has(key) }))
  }
  return hidden
}

function listPaths(root: Json, isIn: (text: string) => boolean): string[] {
  const paths: string[] = []
  const pending: [value: Json, path: string, isForeign: boolean][] = [[root, '', false]]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [value, path, isForeign] = next
    if (typeof value === 'string') {
      if (isIn(value) && (isForeign || !ours.test(value))) paths.push(path)
    } else if (isNumber(value)) {
      if (isForeign && isIn(String(value))) paths.push(path)
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) pending.push([item, `${path}[${index}]`, isForeign])
    } else if (value !== null) {
      for (const key of Object.keys(value as object)) {
        const leaks = isForeign && isIn(key)
        if (leaks) paths.push(`${path} (a key)`)
        // The key itself is not printed when it is what leaks.
        const name = leaks ? mask : key
        pending.push([
          (value as JsonObject)[key] as Json,
          path ? `${path}.${name}` : name,
          isForeign || foreign.has(key),
        ])
      }
    }
  }
  return paths.toReversed()
}
