import { isJsonObject, readOwn, type Json } from '../json.ts'
import { formatFieldPath } from '../path/field-path.ts'
import { previewValue } from '../text/show-value.ts'
import { parseExpression } from './syntax/expression.ts'
import type { FreeName } from './syntax/free-names.ts'
import { lookup, type Names } from './variables/scope.ts'

/** So many values are shown at most. */
const most = 5

/** Shows what a condition read: `body.total` is `3`, `limit` is `5`. Undefined when it read nothing that has a value. */
export function showReads(condition: string, names: Names): string | undefined {
  const shown = new Set<string>()
  for (const { name, path } of parseExpression(condition).freeNames) {
    // `variables` is a value only with a name behind it.
    const start = path.slice(0, name === 'variables' ? 1 : 0)
    const value = lookup(names, name, start)
    // Globals, functions of extensions and environment variables.
    if (value === undefined) continue
    const read = follow(value, path.slice(start.length))
    const text = read.value === undefined ? 'undefined' : previewValue(read.value)
    shown.add(`\`${formatFieldPath([...start, ...read.path], name)}\` is \`${text}\``)
  }
  return shown.size === 0 ? undefined : [...shown].slice(0, most).join(', ')
}

/** The value at a path, or what a method at its end is called on. */
function follow(root: Json, path: FreeName['path']): { path: FreeName['path']; value: Json | undefined } {
  let value = root
  for (const [depth, key] of path.entries()) {
    const next = typeof value === 'object' && value !== null ? readOwn(value, String(key)) : undefined
    if (next === undefined)
      return isJsonObject(value) && !(key in Object.prototype)
        ? { path: path.slice(0, depth + 1), value: next }
        : { path: path.slice(0, depth), value }
    value = next
  }
  return { path, value }
}
