import type { Json } from '../../json.ts'
import { ANY_TYPE, fail, PASSED, type Operator } from './operator.ts'
import { showValue, typeOf } from '../../text/show-value.ts'
import { didYouMean } from '../../text/suggest.ts'

/** What `type` knows. */
export const TYPE_NAMES: readonly string[] = [
  'string',
  'number',
  'integer',
  'boolean',
  'object',
  'array',
  'null',
]

const type: Operator = {
  refuse: refuseType,
  takes: ANY_TYPE,
  measure: typeOf,
  show: (operand) => listTypes(operand).join(' or '),
  judge(actual, operand, { field }) {
    const names = listTypes(operand)
    if (names.some((name) => hasType(actual, name))) return PASSED
    return fail(`Expected \`${field}\` to be of type ${names.join(' or ')}, got ${showValue(actual)}`)
  },
}

// `type: null` is what YAML makes of the name without quotes.
function listTypes(operand: Json): string[] {
  return (Array.isArray(operand) ? operand : [operand]).map((name) =>
    name === null ? 'null' : (name as string),
  )
}

function hasType(value: Json, name: string): boolean {
  return name === 'integer' ? Number.isInteger(value) : typeOf(value) === name
}

function refuseType(operand: Json): string | undefined {
  const names = listTypes(operand)
  const bad = names.find((name) => !TYPE_NAMES.includes(name))
  if (names.length > 0 && bad === undefined) return undefined
  return `one of ${TYPE_NAMES.join(', ')}${typeof bad === 'string' ? didYouMean(bad, TYPE_NAMES) : ''}`
}

const exists: Operator = {
  refuse: (operand) => (typeof operand === 'boolean' ? undefined : '`true` or `false`'),
  takes: ANY_TYPE,
  // A missing value never gets here: see `judgeCheck`.
  judge: (actual, operand, { field }) =>
    operand === true ? PASSED : fail(`Expected nothing at \`${field}\`, got ${showValue(actual)}`),
}

/** Operators on what kind of value is there, and whether one is. */
export const typeOperators = { type, exists } satisfies Record<string, Operator>
