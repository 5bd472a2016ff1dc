import type { Json } from '../json.ts'
import { ANY_TYPE, fail, PASSED, type Operator } from './operator.ts'
import { showValue, typeOf } from './show-value.ts'
import { didYouMean } from './suggest-name.ts'

const TYPE_NAMES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']

const type: Operator = {
  refuse: refuseType,
  takes: ANY_TYPE,
  measure: typeOf,
  judge(actual, operand, { field }) {
    const names = Array.isArray(operand) ? operand : [operand]
    if (names.some((name) => hasType(actual, name))) return PASSED
    return fail(
      `Expected \`${field}\` to be of type ${(names as string[]).join(' or ')}, got ${showValue(actual)}`,
    )
  },
}

function hasType(value: Json, name: Json): boolean {
  return name === 'integer' ? Number.isInteger(value) : typeOf(value) === name
}

function refuseType(operand: Json): string | undefined {
  const names = Array.isArray(operand) ? operand : [operand]
  const bad = names.find((name) => typeof name !== 'string' || !TYPE_NAMES.includes(name))
  if (names.length > 0 && bad === undefined) return undefined
  const hint = typeof bad === 'string' ? didYouMean(bad, TYPE_NAMES) : ''
  return `one of ${TYPE_NAMES.join(', ')}${bad === null ? ' (write `"null"` in quotes for the type)' : hint}`
}

const exists: Operator = {
  refuse: (operand) => (typeof operand === 'boolean' ? undefined : '`true` or `false`'),
  takes: ANY_TYPE,
  // A missing value never gets here: see `judgeMissing`.
  judge: (actual, operand, { field }) =>
    operand === true ? PASSED : fail(`Expected nothing at \`${field}\`, got ${showValue(actual)}`),
}

/** Operators on what kind of value is there, and whether one is. */
export const typeOperators = { type, exists } satisfies Record<string, Operator>
