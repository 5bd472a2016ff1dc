import { isJsonObject, type Json } from '../../json.ts'
import { readCookieName } from '../../request/cookies.ts'
import { isStreamType } from '../../request/receive/event-reader.ts'
import type { Language } from '../../request/markup/languages.ts'
import { listNames, showValue } from '../../text/show-value.ts'
import { didYouMean, findTypo, plainName } from '../../text/suggest.ts'
import { otherFields } from '../operators/other-names.ts'
import type { Check } from '../check.ts'
import type { CheckTarget } from '../targets.ts'
import { formatFieldPath, showPathStep, type PathStep } from '../../path/field-path.ts'
import { explainMissing, nameGap, walkPath, type Missing, type Walk } from '../../path/walk-path.ts'
import type { ResponseContext } from '../check-context.ts'
import { readCookies } from '../read-cookies.ts'

/**
 * A missing value. `message`: what is there instead. `certain`: the response could have had it. `walk`: where
 * its path ends. `gap`: the first missing part, or why a document cannot be read. `isDoubtful`: the check
 * probably has a mistake. `unjudged`: what is to blame, if not the value.
 */
export type Absent = {
  found: false
  message: string
  certain: boolean
  walk?: Missing
  gap?: string | undefined
  isDoubtful?: boolean
  unjudged?: 'operand'
}

/** The value that a check looks at, or why there is none. */
export type Actual = { found: true; value: Json; warning?: string | undefined } | Absent

// Operators that make sense for the text of a body that should be JSON.
const ON_TEXT = new Set(['contains', 'pattern', 'regex'])
// Operators that lost bytes can deceive.
const COMPARES = new Set(['equals', 'not_equals', 'in', 'not_in', 'not_contains', 'snapshot'])
// Operators that look at all matches as one list.
const COUNTS = new Set(['length', 'minLength', 'maxLength', 'unique', 'sorted_by'])

/** Finds the value of a check in the response. */
export function findActual(check: Check, context: ResponseContext): Actual {
  const { target, path } = check
  if (target === 'body') return findBody(check, context)
  if (target === 'headers') return findHeader(check, context)
  if (target === 'cookies') return findCookie(check, context)
  if (target === 'xpath' || target === 'css') {
    const found = findMarkup({ language: target, expression: path[0] as string }, context)
    return found.found ? { ...found, value: listMatches(check, found.value) } : found
  }
  const value = target === 'redirects' ? (context.redirects ?? []) : context[target as 'message']
  return value === undefined ? absent(explainAbsent(target, context)) : findInside(target, path, value)
}

/** What XPath or CSS found; a list if the check counts it, even of one match. Inside `each` it is one match. */
export function listMatches({ target, operator, field }: Check, value: Json): Json {
  const isSelected = (target === 'xpath' || target === 'css') && !field.endsWith('[*]')
  return isSelected && COUNTS.has(operator) ? [value].flat() : value
}

function absent(message: string, isDoubtful = false, gap?: string): Absent {
  return { found: false, message, certain: true, isDoubtful, gap }
}

function explainAbsent(target: CheckTarget, context: ResponseContext): string {
  if (target === 'events' || target === 'first_event_ms') return 'no event came'
  if (target === 'mock_calls') return 'there are no mocks, so calls of the application are not listed'
  if (target !== 'close_code') return 'no message came'
  return context.status_code === 101 ? 'the server did not close the connection' : 'there was no connection'
}

const lossy =
  '`body` has bytes that are not valid in its charset (UTF-8, if the content type names no other) and look the same here: use `body_as: bytes` to tell them apart'

function findBody({ path, operator, expected }: Check, context: ResponseContext): Actual {
  const { body, bodyText, bodyError } = context
  const isWhole = path.length === 0
  if (isWhole && operator === 'exists' && context.size_bytes === 0) return absent('the response has no body')
  // In a text, all bytes that are not text look the same, and the text is longer than the body.
  const isText = isWhole && bodyError === undefined && body === bodyText
  const isLossy = isText && bodyText.includes('\ufffd') && Buffer.byteLength(bodyText) !== context.size_bytes
  if (isLossy && COMPARES.has(operator)) return { found: true, value: body, warning: lossy }
  if (bodyError === undefined) {
    const found = findInside('body', path, body)
    return found.found ? found : { ...found, message: `${found.message}${hintStream(context)}` }
  }
  // An empty body can be checked: responses to DELETE and HEAD often have the type JSON all the same. But it is no other JSON.
  const isOtherJson = operator.startsWith('not_') && typeof expected === 'object'
  const isAboutText = bodyText === '' ? !isOtherJson : ON_TEXT.has(operator) && typeof expected === 'string'
  if (isWhole && isAboutText) return { found: true, value: bodyText }
  return { found: false, message: bodyError, certain: false }
}

/** Says how to check the events of a response whose body is a text of events. */
function hintStream({ events, headers }: ResponseContext): string {
  if (!isStreamType([headers['content-type'] ?? ''].flat().join())) return ''
  return events ? '; its events are in `events`' : '; `stream` beside `request` reads its events'
}

/** Finds the value at a path below a named root. */
export function findInside(root: string, path: readonly PathStep[], value: Json): Actual {
  let walk: Walk
  try {
    walk = walkPath(value, path)
  } catch (error) {
    const message = `\`${formatFieldPath(path, root)}\` could not be evaluated: ${(error as Error).message}`
    return { found: false, message, certain: false, unjudged: 'operand' }
  }
  if (walk.found) return walk
  const certain = typeof value === 'object' && value !== null
  const message = `${explainMissing(root, walk)}${hintCheck(walk)}`
  return { found: false, message, certain, walk, gap: nameGap(root, walk) }
}

/** Says which check a name probably means where no value has such a field; in a map only if hardly any has one. */
function hintCheck({ path, depth, last }: Missing): string {
  const isMap = isJsonObject(last)
  const names = path.slice(depth, isMap ? undefined : depth + 1).map(showPathStep)
  const name = names.find((one) => !isMap || /^(?:absent|exact|not_?null|present|strict)$/i.test(one)) ?? ''
  const plain = plainName(name)
  return Object.hasOwn(otherFields, plain) ? `; as a check, \`${name}\` is \`${otherFields[plain]}\`` : ''
}

function findCookie({ path, field, operator }: Check, { headers, redirects = [] }: ResponseContext): Actual {
  const found = findInside('cookies', path, readCookies(headers))
  // Attributes such as `secure` are false if they are missing.
  if (operator === 'exists' && found.found && found.value === false) return absent(`nothing at \`${field}\``)
  const count = [headers['set-cookie'] ?? []].flat().filter((line) => readCookieName(line) === path[0]).length
  if (found.found && count > 1) {
    const warning = `\`cookies.${path[0] as string}\` is the last of ${count} cookies of that name; \`headers.set-cookie\` has all`
    return { ...found, warning }
  }
  if (found.found || !redirects.some(({ set_cookies: set }) => [set].flat().includes(path[0]))) return found
  const note = 'it was set by a redirect: use `follow_redirects: false` to check that response'
  return { ...found, message: `${found.message}; ${note}`, isDoubtful: true }
}

function findHeader({ path, field }: Check, { headers, redirects = [] }: ResponseContext): Actual {
  const [name, index] = path as [string, number?]
  if (!Object.hasOwn(headers, name)) {
    const names = Object.keys(headers)
    const there = `available headers: ${listNames(names)}${didYouMean(name, names)}`
    const isFollowed = name === 'location' && redirects.length > 0
    const trailers = [headers['trailer'] ?? []].flat().join().toLowerCase()
    const isTrailer = trailers.split(/\s*,\s*/).includes(name)
    let note = isTrailer ? '; it comes after the body, as a trailer, which cannot be checked' : ''
    if (isFollowed) note = '; it was in a redirect: see `redirects[0].location`'
    const isPlural = names.some((other) => other === `${name}s` || name === `${other}s`)
    const isDoubtful = isFollowed || isTrailer || isPlural || findTypo(name, names) !== undefined
    return absent(`nothing at \`${field}\`; ${there}${note}`, isDoubtful, `headers.${name}`)
  }
  const value = headers[name] as string | string[]
  const item = index === undefined ? value : [value].flat().at(index)
  if (item !== undefined) return { found: true, value: item }
  return absent(`nothing at \`${field}\`; \`${name}\` is ${showValue(value)}`)
}

/** What XPath or CSS finds: one text, or a list if there are several. */
export function findMarkup(
  { language, expression }: { language: Language; expression: string },
  { markup, namespaces, bodyText }: ResponseContext,
): Actual {
  const selection = markup?.(language, expression, namespaces) ?? { problem: 'there is no body' }
  if ('problem' in selection) {
    const { problem: message } = selection
    return { found: false, message, certain: false, gap: message, isDoubtful: bodyText.trim() !== '' }
  }
  const { values, hint = '' } = selection
  const [first, ...others] = values
  if (first === undefined) return absent(`\`${expression}\` found nothing${hint}`, hint !== '')
  const warning = hint === '' ? undefined : `\`${expression}\` is ${first}${hint}`
  return { found: true, value: others.length === 0 ? first : values, warning }
}
