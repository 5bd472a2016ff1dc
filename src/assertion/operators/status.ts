import { hasTemplate } from '../../interpolation/template.ts'
import type { Json } from '../../json.ts'
import { fail, PASSED, type Operator } from './operator.ts'
import { orderOperators } from './order.ts'
import { previewValue } from '../../text/show-value.ts'

const CLASS = /^[1-5][xX]{2}$/
const WANTED = 'a status code (100 to 999) or a class such as `2xx`'
const WANTED_LIST = 'a list of status codes (100 to 999) or classes such as `2xx`'

/** Operators of `status_code`: a code, a class such as `2xx`, lists of them, and comparisons. */
export const statusOperators: Readonly<Record<string, Operator>> = Object.assign(Object.create(null), {
  equals: statusOperator({ wanted: true, list: false }),
  not_equals: statusOperator({ wanted: false, list: false }),
  in: statusOperator({ wanted: true, list: true }),
  not_in: statusOperator({ wanted: false, list: true }),
  ...Object.fromEntries(
    Object.entries(orderOperators).map(([name, operator]) => [
      name,
      { ...operator, explainBadOperand: refuseCode },
    ]),
  ),
})

function statusOperator({ wanted, list }: { wanted: boolean; list: boolean }): Operator {
  return {
    about: wanted ? 'The status.' : 'Not the status.',
    operand: 'any',
    explainBadOperand: (operand) => (list ? refuseStatuses(operand) : refuseStatus(operand)),
    takes: ['number'],
    resolve: (operand, interpolate) =>
      Array.isArray(operand)
        ? operand.map((item) => readCode(item, interpolate(item)))
        : readCode(operand, interpolate(operand)),
    ...(!wanted && {
      negative: true as const,
      show: (operand: Json) => `${list ? 'none of' : 'not'} ${previewValue(operand)}`,
    }),
    judge(actual, operand) {
      const items = Array.isArray(operand) ? operand : [operand]
      const matches = items.some((item) => matchesStatus(actual, item))
      if (matches === wanted) return PASSED
      const names = (items as (string | number)[]).join(', ')
      const words = `${wanted ? 'to be' : 'not to be'} ${list ? `one of ${names}` : names}`
      return fail(`Expected \`status_code\` ${words}, got ${previewValue(actual)}`)
    },
  }
}

// Cells of CSV are texts.
function readCode(written: Json, filled: Json): Json {
  const isCode = hasTemplate(written) && typeof filled === 'string' && /^\d{3}$/.test(filled)
  return isCode ? Number(filled) : filled
}

/** True for a status code that is the one wanted, or of the class wanted (`5xx`). */
export function matchesStatus(actual: Json, item: Json): boolean {
  return typeof item === 'string' ? Number(item[0]) === Math.floor((actual as number) / 100) : item === actual
}

function refuseStatus(operand: Json): string | undefined {
  const isCode = refuseCode(operand) === undefined
  return isCode || (typeof operand === 'string' && CLASS.test(operand)) ? undefined : WANTED
}

// A comparison with any other number would always come out the same.
function refuseCode(operand: Json): string | undefined {
  const isCode = Number.isInteger(operand) && (operand as number) >= 100 && (operand as number) <= 999
  return isCode ? undefined : 'a status code (100 to 999)'
}

function refuseStatuses(operand: Json): string | undefined {
  if (!Array.isArray(operand) || operand.length === 0) return WANTED_LIST
  return operand.every((item) => !refuseStatus(item) || hasTemplate(item)) ? undefined : WANTED_LIST
}
