import { hasTemplate } from '../../interpolation/template.ts'
import type { Json } from '../../json.ts'
import { question, wants, type Operator } from './operator.ts'
import { orderOperators, rangeOperators } from './order.ts'
import { previewValue } from '../../text/show-value.ts'

/** A class of status codes, such as `2xx`. */
export const STATUS_CLASS: RegExp = /^[1-5][xX]{2}$/

/** Operators of `status_code`: a code, a class such as `2xx`, lists of them, comparisons, and ranges. */
export const statusTable = {
  equals: statusOperator({ wanted: true, list: false }),
  not_equals: statusOperator({ wanted: false, list: false }),
  in: statusOperator({ wanted: true, list: true }),
  not_in: statusOperator({ wanted: false, list: true }),
  ...orderOperators,
  between: rangeOperators.between,
} satisfies Record<string, Operator>

/** The same, for looking up a name. */
export const statusOperators: Readonly<Record<string, Operator>> = Object.assign(
  Object.create(null),
  statusTable,
)

function statusOperator({ wanted, list }: { wanted: boolean; list: boolean }): Operator {
  const not = wanted ? '' : 'not '
  return question({
    about: wanted ? 'The status code.' : 'Not this status code.',
    operand: 'any',
    explainBadOperand: list
      ? wants(
          'a list of status codes (100 to 999) or classes such as `2xx`',
          (codes) => Array.isArray(codes) && codes.length > 0 && codes.every(isStatus),
        )
      : (code) =>
          isStatus(code)
            ? undefined
            : `a status code (100 to 999) or a class such as \`2xx\`${Array.isArray(code) ? ' (a list belongs below `in` or `not_in`)' : ''}`,
    takes: ['number'],
    resolve: (operand, interpolate) =>
      Array.isArray(operand)
        ? operand.map((item) => readCode(item, interpolate(item)))
        : readCode(operand, interpolate(operand)),
    ...(!wanted && { show: (operand) => `${list ? 'none of' : 'not'} ${previewValue(operand)}` }),
    words: (operand) => `${not}to be ${list ? 'one of ' : ''}${[operand].flat().map(String).join(', ')}`,
    got: previewValue,
    holds: (actual, operand) => [operand].flat().some((item) => matchesStatus(actual, item)) === wanted,
  })
}

// The cells of a CSV file are text.
function readCode(written: Json, filled: Json): Json {
  const isText = hasTemplate(written) && typeof filled === 'string' && /^\d{3}$/.test(filled)
  return isText ? Number(filled) : filled
}

/** True for a status code that is the one wanted, or of the class wanted (`5xx`). */
export function matchesStatus(actual: Json, item: Json): boolean {
  return typeof item === 'string' ? Number(item[0]) === Math.floor((actual as number) / 100) : item === actual
}

/** True for a number that a status code can have. */
export function isCode(operand: Json): boolean {
  return Number.isInteger(operand) && (operand as number) >= 100 && (operand as number) <= 999
}

function isStatus(operand: Json): boolean {
  return isCode(operand) || (typeof operand === 'string' && STATUS_CLASS.test(operand))
}
