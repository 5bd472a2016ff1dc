import { isJsonObject, type Json } from '../../json.ts'
import type { Language } from '../../request/markup/languages.ts'
import { listNames, showValue } from '../../text/show-value.ts'
import { didYouMean, findTypo, plainName } from '../../text/suggest.ts'
import type { Check } from '../check.ts'
import type { PathStep } from '../../path/field-path.ts'
import { explainMissing, nameGap, walkPath, type Missing } from '../../path/walk-path.ts'
import type { ResponseContext } from '../check-context.ts'
import { readCookies } from '../read-cookies.ts'

/** Words for what is there instead of the value; `certain` when a field could have been there, `walk` tells where its path ends, `gap` names the first part of it that is missing, `isDoubtful` that it is hardly what its author means. */
export type Absent = {
  found: false
  message: string
  certain: boolean
  walk?: Missing
  gap?: string
  isDoubtful?: boolean
}

/** The value a check looks at, or why there is none. */
export type Actual = { found: true; value: Json; warning?: string | undefined } | Absent

// What can be asked of a text that should have been JSON.
const ON_TEXT = new Set(['contains', 'pattern', 'regex'])

/** Finds the value of a check in the response. */
export function findActual(check: Check, context: ResponseContext): Actual {
  if (check.target === 'headers') return findHeader(check, context)
  if (check.target === 'cookies') return findCookie(check, context)
  if (check.target === 'redirects') return findInside('redirects', check.path, context.redirects ?? [])
  if (check.target === 'xpath' || check.target === 'css') {
    const found = findMarkup({ language: check.target, expression: check.path[0] as string }, context)
    return found.found && COUNTS.has(check.operator) ? { found: true, value: [found.value].flat() } : found
  }
  if (check.target === 'message' && context.message === undefined)
    return { found: false, message: 'no message came', certain: true }
  if (check.target === 'events' || check.target === 'messages' || check.target === 'message')
    return findInside(check.target, check.path, context[check.target] as Json)
  if (check.target === 'close_code' && context.close_code === undefined)
    return {
      found: false,
      message:
        context.status_code === 101 ? 'the server did not close the connection' : 'there was no connection',
      certain: true,
    }
  if (check.target === 'first_event_ms' && context.first_event_ms === undefined)
    return { found: false, message: 'no event came', certain: true }
  if (check.target !== 'body') return { found: true, value: context[check.target as 'status_code'] }
  if (check.operator === 'exists' && check.path.length === 0 && context.size_bytes === 0)
    return { found: false, message: 'the answer has no body', certain: true }
  if (context.bodyError === undefined) return findInside('body', check.path, context.body)
  const isAboutText = ON_TEXT.has(check.operator) && typeof check.expected === 'string'
  // Nothing at all can be asked for: after DELETE and HEAD the type often says JSON all the same.
  return check.path.length === 0 && (isAboutText || context.bodyText === '')
    ? { found: true, value: context.bodyText }
    : { found: false, message: context.bodyError, certain: false }
}

/** Finds the value at a path below a named root. */
export function findInside(root: string, path: readonly PathStep[], value: Json): Actual {
  const walk = walkPath(value, path)
  if (walk.found) return walk
  const certain = typeof value === 'object' && value !== null
  const message = explainMissing(root, walk) + suggestCheck(walk)
  return { found: false, message, certain, walk, gap: nameGap(root, walk) }
}

// Names that may well be fields, so that only an answer tells them from checks.
const OTHER_CHECKS: Readonly<Record<string, string>> = {
  count: 'length',
  size: 'length',
  len: 'length',
  min: 'greater_than_or_equal',
  max: 'less_than_or_equal',
  isnull: "type: 'null'",
  nullable: "type: [string, 'null']",
  format: 'type',
  enum: 'in',
  required: 'exists',
  all: 'each',
  every: 'each',
  any: 'some',
  sorted: 'sorted_by',
  empty: 'notEmpty: false',
  '>': 'greater_than',
  '>=': 'greater_than_or_equal',
  '<': 'less_than',
  '<=': 'less_than_or_equal',
  '*': '[*]',
}

/** What other tools call a check, below a value that has no fields. */
function suggestCheck({ path, depth, last }: Missing): string {
  const name = path[depth]
  if (typeof name !== 'string' || isJsonObject(last)) return ''
  return didYouMean(plainName(name), [], OTHER_CHECKS)
}

function findCookie({ path }: Check, { headers, redirects = [] }: ResponseContext): Actual {
  const found = findInside('cookies', path, readCookies(headers))
  const isOfRedirect = redirects.some(
    ({ set_cookies: set }) => Array.isArray(set) && set.includes(path[0] as string),
  )
  if (found.found || !isOfRedirect) return found
  const note = 'a redirect set it: `follow_redirects: false` takes that answer'
  return { ...found, message: `${found.message}; ${note}`, isDoubtful: true }
}

function findHeader({ path, field }: Check, { headers }: ResponseContext): Actual {
  const [name, index] = path as [string, number?]
  const missing = (there: string, isDoubtful = false): Actual => ({
    found: false,
    message: `nothing at \`${field}\`; ${there}`,
    certain: true,
    isDoubtful,
  })
  if (!Object.hasOwn(headers, name)) {
    const names = Object.keys(headers)
    const isDoubtful = findTypo(name, names) !== undefined
    return missing(`headers there: ${listNames(names)}${didYouMean(name, names)}`, isDoubtful)
  }
  const value = headers[name] as string | string[]
  if (index === undefined) return { found: true, value }
  const item = (Array.isArray(value) ? value : [value])[index]
  return item === undefined ? missing(`\`${name}\` is ${showValue(value)}`) : { found: true, value: item }
}

// They are about how many there are.
const COUNTS: ReadonlySet<string> = new Set(['length', 'minLength', 'maxLength', 'unique', 'sorted_by'])

/** What XPath or CSS finds: one text, or the list of them where it is several. */
export function findMarkup(
  { language, expression }: { language: Language; expression: string },
  { markup }: ResponseContext,
): Actual {
  const selection = markup?.select(language, expression) ?? { problem: 'there is no body' }
  if ('problem' in selection) return { found: false, message: selection.problem, certain: false }
  const [first, ...others] = selection.values
  const { hint = '' } = selection
  if (first === undefined)
    return {
      found: false,
      message: `\`${expression}\` found nothing${hint}`,
      certain: true,
      isDoubtful: hint !== '',
    }
  return { found: true, value: others.length === 0 ? first : selection.values }
}
