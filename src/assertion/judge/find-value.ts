import { readOwn, type Json } from '../../json.ts'
import { listNames, showValue } from '../../text/show-value.ts'
import { didYouMean } from '../../text/suggest.ts'
import type { Check } from '../check.ts'
import { formatFieldPath } from '../../path/field-path.ts'
import type { ResponseContext } from '../response-context.ts'

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

/** Where a path leads: a value (`null` counts), or the number of segments after which nothing was there. */
type Walk = { found: true; value: Json } | { found: false; depth: number; last: Json }

/** Follows a path through own properties only; digits index arrays whether written `[0]` or `.0`. */
function walkPath(root: Json, path: readonly (string | number)[]): Walk {
  let value = root
  for (let depth = 0; depth < path.length; depth += 1) {
    const next = readMember(value, path[depth] as string | number)
    if (next === undefined) return { found: false, depth, last: value }
    value = next
  }
  return { found: true, value }
}

function readMember(value: Json, name: string | number): Json | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (!Array.isArray(value)) return readOwn(value, String(name))
  if (typeof name === 'string' && !/^\d{1,15}$/.test(name)) return undefined
  return value[Number(name)]
}

/** Says in words that nothing is at a path, and what is there instead: `nothing at …; … has: …`. */
function explainMissing(
  root: string,
  path: readonly (string | number)[],
  walk: { depth: number; last: Json },
): string {
  const { depth, last } = walk
  const parent = `\`${formatFieldPath(path.slice(0, depth), root)}\``
  const name = String(path[depth])
  return `nothing at \`${formatFieldPath(path, root)}\`; ${parent} ${describeContent(last, name)}`
}

function describeContent(value: Json, name: string): string {
  if (Array.isArray(value)) {
    const count = value.length === 1 ? '1 element' : `${value.length} elements`
    return `is an array of ${count}`
  }
  if (typeof value !== 'object' || value === null) return value === '' ? 'is empty' : `is ${showValue(value)}`
  const names = Object.keys(value)
  if (names.length === 0) return 'is an empty object'
  return `has: ${listNames(names)}${didYouMean(name, names)}`
}
