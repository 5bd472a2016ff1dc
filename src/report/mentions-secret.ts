import { isNumber, type Json } from '../json.ts'
import type { Redactor } from './redact.ts'

/** True when a known secret stands in a string, number or key of a value that was redacted before: only then it must be redacted again. */
export function mentionsSecret(root: Json, { redactText }: Redactor): boolean {
  const texts: string[] = []
  const pending: Json[] = [root]
  while (pending.length > 0) {
    const value = pending.pop() as Json
    if (typeof value === 'string') texts.push(value)
    else if (isNumber(value)) texts.push(String(value))
    else if (Array.isArray(value)) for (const item of value) pending.push(item)
    else if (value !== null && typeof value === 'object')
      for (const key of Object.keys(value)) {
        texts.push(key)
        pending.push(value[key] as Json)
      }
  }
  // Looked through at once: what two texts make together costs no more than a second redaction.
  const text = texts.join('\n')
  return redactText(text) !== text
}
