import { isJsonObject, type Json } from '../../json.ts'
import { isEqual } from '../../compare-json.ts'
import { fail, PASSED, type Operator } from './operator.ts'
import { previewValue, showValue, type JsonType } from '../../text/show-value.ts'

const CONTAINERS: readonly JsonType[] = ['string', 'array', 'object']

const contains: Operator = {
  refuse: refuseNothing,
  takes: CONTAINERS,
  judge(actual, operand, { field, tools }) {
    const unusable = refusePart(actual, operand)
    if (unusable) return fail(`The \`contains\` check of \`${field}\` ${unusable}`)
    if (holdsPart(actual, operand, tools.compat === true)) return PASSED
    return fail(`Expected \`${field}\` to contain ${showValue(operand)}, got ${showValue(actual)}`)
  },
}

const notContains: Operator = {
  refuse: refuseNothing,
  takes: CONTAINERS,
  negative: true,
  show: (operand) => `not containing ${previewValue(operand)}`,
  judge(actual, operand, { field, tools }) {
    const unusable = refusePart(actual, operand)
    if (unusable) return fail(`The \`not_contains\` check of \`${field}\` ${unusable}`)
    if (!holdsPart(actual, operand, tools.compat === true)) return PASSED
    return fail(
      `Expected \`${field}\` not to contain ${showValue(operand)}, but it does: ${showValue(actual)}`,
    )
  },
}

function refuseNothing(operand: Json): string | undefined {
  const empty =
    operand === '' || (typeof operand === 'object' && operand !== null && Object.keys(operand).length === 0)
  return empty ? 'something to look for (everything contains an empty value)' : undefined
}

// Which operands make sense depends on what is there: text holds text, an object holds an object.
function refusePart(actual: Json, operand: Json): string | undefined {
  if (typeof actual === 'string' && typeof operand !== 'string')
    return `looks for ${showValue(operand)} in a string, which can only hold a string`
  if (isJsonObject(actual) && !isJsonObject(operand))
    return `looks for ${showValue(operand)} in an object, which can only hold an object of fields; use \`exists\` for a field name`
  return undefined
}

function holdsPart(actual: Json, operand: Json, loose: boolean): boolean {
  if (typeof actual === 'string') return actual.includes(operand as string)
  if (!Array.isArray(actual)) return isEqual(operand, actual, { partial: true, loose })
  const hasItem = (part: Json): boolean =>
    actual.some((item) => isEqual(part, item, { partial: isJsonObject(part), loose }))
  return hasItem(operand) || (Array.isArray(operand) && operand.every(hasItem))
}

/** Operators that look for a part of a value. */
export const containmentOperators = {
  contains,
  not_contains: notContains,
} satisfies Record<string, Operator>
