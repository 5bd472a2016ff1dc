import { isInteger, type Json } from '../../json.ts'
import { fail, PASSED, question, wants, wantsFlag, type Judgement, type Operator } from './operator.ts'
import { showValue, typeOf } from '../../text/show-value.ts'
import { didYouMean } from '../../text/suggest.ts'
import { hasFormat } from '../formats.ts'

const PLAIN = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] as const
// Formats of strings, as in JSON Schema.
const FORMATS = ['uuid', 'date', 'date-time', 'email', 'uri'] as const

/** All names that `type` knows. */
export const TYPE_NAMES = [...PLAIN, ...FORMATS] as const

/** True for a name that `type` knows. */
export function isTypeName(name: unknown): boolean {
  return (TYPE_NAMES as readonly unknown[]).includes(name)
}

const OTHER_NAMES = { bool: 'boolean', float: 'number', int: 'integer', list: 'array', str: 'string' }

const type = question({
  about:
    'The JSON type, or one of a list; an integer is also a number. For strings also `uuid`, `date`, `date-time`, `email`, `uri`.',
  operand: 'type',
  explainBadOperand(operand) {
    const names = listTypes(operand)
    const bad = names.find((name) => !isTypeName(name))
    if (names.length > 0 && bad === undefined) return undefined
    return `one of ${TYPE_NAMES.join(', ')}${typeof bad === 'string' ? didYouMean(bad, TYPE_NAMES, OTHER_NAMES) : ''}`
  },
  measure: typeOf,
  show: (operand) => listTypes(operand).join(' or '),
  words: (operand) => `to be of type ${listTypes(operand).join(' or ')}`,
  holds: (actual, operand, judgement) => listTypes(operand).some((name) => hasType(actual, name, judgement)),
})

// YAML reads `type: null`, without quotes, as a null.
function listTypes(operand: Json): string[] {
  return [operand].flat().map((name) => (name === null ? 'null' : (name as string)))
}

function hasType(value: Json, name: string, { tools }: Judgement): boolean {
  if (name === 'integer') return isInteger(value)
  const format = FORMATS.find((one) => one === name)
  if (format === undefined) return typeOf(value) === name
  return typeof value === 'string' && hasFormat(format, value, (pattern, text) => tools.test(pattern, text))
}

const exists = {
  about: 'Whether the field exists (it may be null).',
  operand: 'flag',
  explainBadOperand: wantsFlag,
  // Missing values never get here: see `judgeCheck`.
  judge: (actual, operand, { field }) =>
    operand === true ? PASSED : fail(`Expected nothing at \`${field}\`, got ${showValue(actual)}`),
} satisfies Operator

const optional = {
  about:
    '`optional: true`: the field may be missing, and the checks beside and below it then pass. `each` and `none` accept an empty list.',
  operand: 'true',
  explainBadOperand: wants('`true` (leave it out for a field that must exist)', (flag) => flag === true),
  judge: () => PASSED,
} satisfies Operator

/** Operators for the type of a value, and whether there is one. */
export const typeOperators = { type, exists, optional } satisfies Record<string, Operator>
