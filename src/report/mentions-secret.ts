import type { Json } from '../json.ts'
import type { Redactor } from './redact.ts'

/** True when a known secret stands in a string, number or key of a value that was redacted before: only then it must be redacted again. */
export function mentionsSecret(root: Json, { redactText }: Redactor): boolean {
  const isIn = (text: string): boolean => redactText(text) !== text
  const pending: Json[] = [root]
  while (pending.length > 0) {
    const value = pending.pop() as Json
    if (typeof value === 'string') {
      if (isIn(value)) return true
    } else if (typeof value === 'number') {
      if (isIn(String(value))) return true
    } else if (Array.isArray(value)) pending.push(...value)
    else if (value !== null && typeof value === 'object')
      for (const [key, part] of Object.entries(value)) {
        if (isIn(key)) return true
        pending.push(part)
      }
  }
  return false
}
