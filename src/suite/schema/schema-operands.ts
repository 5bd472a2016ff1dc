import * as v from 'valibot'
import type { OperandKind } from '../../assertion/operators/operator.ts'
import { operatorTable } from '../../assertion/operators/operators.ts'
import { TYPE_NAMES } from '../../assertion/operators/type.ts'
import { numberOperators } from '../../assertion/parse/vocabularies.ts'
import * as s from './schema-parts.ts'

/** A number, exact at any length, or a duration where a time is checked. */
export const number = v.union([v.number(), s.longInteger, s.template, s.duration])
export const count = v.union([s.whole(0, Infinity), s.template])
const list = v.union([v.array(s.anyJson), s.template])
const typeName = v.union([v.picklist(TYPE_NAMES), v.null()])

const ofNumbers = {
  any: s.anyJson,
  list,
  number,
  range: v.union([v.pipe(v.array(number), v.minLength(2), v.maxLength(2)), s.template]),
}

type NumberOperator = (typeof numberOperators)['length'][number]
type NumberChecks = {
  [Name in NumberOperator]?:
    | v.InferInput<(typeof ofNumbers)[(typeof operatorTable)[Name]['operand']]>
    | undefined
}

/** A map of operators on a number. Whether they fit its kind is checked when the suite is loaded. */
export const numberChecks: v.GenericSchema<NumberChecks> = s.closed(
  Object.fromEntries(
    numberOperators.length.map((name) => {
      const { operand, about } = operatorTable[name]
      return [name, s.optional(ofNumbers[operand], about)]
    }),
  ),
)

/** A time as text, or in seconds or milliseconds since 1970. */
const time = v.union([s.text, v.number()])

export const plainOperands = {
  ...ofNumbers,
  type: v.union([typeName, v.pipe(v.array(v.union([typeName, s.template])), v.minLength(1)), s.template]),
  text: v.string(),
  count,
  length: v.union([count, numberChecks]),
  flag: v.union([s.flag, s.template]),
  true: v.union([v.literal(true), s.template]),
  closeness: v.union([
    s.closed({
      value: s.documented(number, 'The number to compare with.'),
      delta: s.documented(number, 'The largest difference allowed.'),
    }),
    s.template,
  ]),
  time,
  nearness: v.union([
    s.closed({
      to: s.optional(time, 'The time to compare with; default: now.'),
      by: s.documented(s.text, 'The largest difference allowed, as a duration.'),
    }),
    s.template,
  ]),
  names: v.union([v.array(s.text), s.template]),
  unique: v.union([v.literal(true), s.text]),
  order: v.union([
    s.text,
    s.closed({
      field: s.optional(s.text, 'Field of each element to sort by; default: the element itself.'),
      order: s.optional(v.union([v.picklist(['asc', 'desc']), s.template]), 'Sort order; default: asc.'),
    }),
  ]),
  schema: v.union([v.string(), s.anyMap, s.flag]),
  snapshot: v.union([
    v.literal(true),
    s.closed({
      name: s.optional(s.text, 'Name of the snapshot, if a step has several.'),
      ignore: s.optional(v.union([v.array(s.text), s.template]), 'Paths to leave out of the snapshot.'),
    }),
    s.template,
  ]),
} satisfies Record<Exclude<OperandKind, 'checks' | 'checksList'>, v.GenericSchema>
