import { readOwn, type Json } from '../../json.ts'
import type { CheckTools } from '../check-tools.ts'
import type { Check } from '../check.ts'
import type { Operator } from '../operators/operator.ts'
import { showValue } from '../../text/show-value.ts'

/** The operand of a check with its templates filled in, or why it cannot be used. */
export type Operand = { usable: true; value: Json } | { usable: false; value: Json; message: string }

/** Fills in the operand of a check and makes sure that the operator can use what came out. */
export function findOperand(check: Check, operator: Operator, tools: CheckTools): Operand {
  const written = check.expected
  let value: Json
  try {
    value = operator.resolve ? operator.resolve(written, tools.interpolate) : tools.interpolate(written)
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
  const wanted = operator.explainBadOperand(value)
  if (wanted === undefined) return { usable: true, value }
  const source = value === written ? '' : ` from ${showValue(written)}`
  return { usable: false, value, message: `needs ${wanted}, got ${showValue(value)}${source}` }
}

// Iterates: an operand of `defineSuite` may nest deeper than the stack.
function findUnresolved(written: Json, value: Json): string | undefined {
  const pending: [Json, Json][] = [[written, value]]
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [before, after] = pair
    if (typeof before === 'string' && typeof after === 'string') {
      const left = before.match(/\{\{.*?\}\}/gs)?.find((template) => after.includes(template))
      if (left !== undefined) return left
    }
    if (typeof before !== 'object' || before === null) continue
    if (typeof after !== 'object' || after === null) continue
    for (const [key, part] of Object.entries(before)) {
      const filled = readOwn(after, key)
      if (filled !== undefined) pending.push([part, filled])
    }
  }
  return undefined
}
