import { isJsonObject, type Json } from '../json.ts'
import type { CheckTools } from './check-tools.ts'
import type { Check } from './check.ts'
import type { Operator } from './operator.ts'
import { showValue } from './show-value.ts'

/** The operand of a check with its templates filled in, or why it cannot be used. */
export type Operand = { usable: true; value: Json } | { usable: false; value: Json; message: string }

/** Fills in the operand of a check and makes sure that the operator can use what came out. */
export function findOperand(check: Check, operator: Operator, tools: CheckTools): Operand {
  const written = check.expected
  const interpolate = (value: Json): Json => tools.interpolate(value, check.at)
  let value: Json
  try {
    value = operator.resolve ? operator.resolve(written, interpolate) : interpolate(written)
  } catch (error) {
    return {
      usable: false,
      value: written,
      message: `has an operand that failed: ${(error as Error).message}`,
    }
  }
  const left = operator.negative ? findUnresolved(written, value) : undefined
  // It would pass because nothing equals or contains the unfilled text.
  if (left !== undefined)
    return { usable: false, value, message: `has an operand that is not known: ${left}` }
  const wanted = operator.refuse(value)
  if (wanted === undefined) return { usable: true, value }
  const source = value === written ? '' : ` from ${showValue(written)}`
  return { usable: false, value, message: `needs ${wanted}, got ${showValue(value)}${source}` }
}

function findUnresolved(written: Json, value: Json): string | undefined {
  if (typeof written === 'string')
    return typeof value === 'string'
      ? written.match(/\{\{.*?\}\}/gs)?.find((text) => value.includes(text))
      : undefined
  if (typeof written !== 'object' || written === null || typeof value !== 'object' || value === null)
    return undefined
  for (const [key, part] of Object.entries(written)) {
    if (!Object.hasOwn(value, key)) continue
    const left = findUnresolved(part, (isJsonObject(value) ? value[key] : value[Number(key)]) as Json)
    if (left !== undefined) return left
  }
  return undefined
}
