import { readOwn, type Json } from '../json.ts'
import { formatFieldPath } from './field-path.ts'
import { listNames, showValue } from './show-value.ts'
import { didYouMean } from './suggest-name.ts'

/** Where a path leads: a value (`null` counts), or the number of segments after which nothing was there. */
export type Walk = { found: true; value: Json } | { found: false; depth: number; last: Json }

/** Follows a path through own properties only; digits index arrays whether written `[0]` or `.0`. */
export function walkPath(root: Json, path: readonly (string | number)[]): Walk {
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
export function explainMissing(
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
