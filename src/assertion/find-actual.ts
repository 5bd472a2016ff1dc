import type { Json } from '../json.ts'
import type { Check } from './check.ts'
import type { ResponseContext } from './response-context.ts'
import { listNames, showValue } from './show-value.ts'
import { didYouMean } from './suggest-name.ts'
import { explainMissing, walkPath } from './walk-path.ts'

/** The value a check looks at, or words for what is there instead; `certain` when a field could have been there. */
export type Actual = { found: true; value: Json } | { found: false; message: string; certain: boolean }

// What can be asked of a text that should have been JSON.
const ON_TEXT = new Set(['contains', 'pattern', 'regex'])

/** Finds the value of a check in the response. */
export function findActual(check: Check, context: ResponseContext): Actual {
  if (check.target === 'headers') return findHeader(check, context)
  if (check.target !== 'body') return { found: true, value: context[check.target as 'status_code'] }
  if (context.bodyError === undefined) return findInside('body', check.path, context.body)
  const isAboutText = ON_TEXT.has(check.operator) && typeof check.expected === 'string'
  // Nothing at all can be asked for: after DELETE and HEAD the type often says JSON all the same.
  return check.path.length === 0 && (isAboutText || context.bodyText === '')
    ? { found: true, value: context.bodyText }
    : { found: false, message: context.bodyError, certain: false }
}

/** Finds the value at a path below a named root. */
export function findInside(root: string, path: readonly (string | number)[], value: Json): Actual {
  const walk = walkPath(value, path)
  if (walk.found) return walk
  const certain = typeof value === 'object' && value !== null
  return { found: false, message: explainMissing(root, path, walk), certain }
}

function findHeader({ path, field }: Check, { headers }: ResponseContext): Actual {
  const [name, index] = path as [string, number?]
  const missing = (there: string): Actual => ({
    found: false,
    message: `nothing at \`${field}\`; ${there}`,
    certain: true,
  })
  if (!Object.hasOwn(headers, name)) {
    const names = Object.keys(headers)
    return missing(`headers there: ${listNames(names)}${didYouMean(name, names)}`)
  }
  const value = headers[name] as string | string[]
  if (index === undefined) return { found: true, value }
  const item = (Array.isArray(value) ? value : [value])[index]
  return item === undefined ? missing(`\`${name}\` is ${showValue(value)}`) : { found: true, value: item }
}
