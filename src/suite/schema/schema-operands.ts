import * as v from 'valibot'
import type { OperandKind } from '../../assertion/operators/operator.ts'
import { operatorTable } from '../../assertion/operators/operators.ts'
import { TYPE_NAMES } from '../../assertion/operators/type.ts'
import {
  anyJson,
  anyMap,
  closed,
  documented,
  flag,
  longInteger,
  optional,
  template,
  text,
  whole,
} from './schema-parts.ts'

/** A number, exact however long. */
export const number = v.union([v.number(), longInteger, template])
/** How many there are. */
export const count = v.union([whole(0, Infinity), template])
const list = v.union([v.array(anyJson), template])
const typeName = v.union([v.picklist(TYPE_NAMES), v.null()])
/** An operator where it takes only some values, with the words of the table. */
export const operator = <Schema extends v.GenericSchema>(name: keyof typeof operatorTable, schema: Schema) =>
  optional(schema, operatorTable[name].about)
const sameOrNot = {
  equals: operator('equals', anyJson),
  not_equals: operator('not_equals', anyJson),
  in: operator('in', list),
  not_in: operator('not_in', list),
}
/** Operators that compare numbers. */
export const order = {
  greater_than: operator('greater_than', number),
  greater_than_or_equal: operator('greater_than_or_equal', number),
  less_than: operator('less_than', number),
  less_than_or_equal: operator('less_than_or_equal', number),
}
/** Least and most. */
export const range = v.union([v.pipe(v.array(number), v.minLength(2), v.maxLength(2)), template])

/** What operators take that take no checks. */
export const plainOperands = {
  any: anyJson,
  list,
  type: v.union([typeName, v.array(typeName), template]),
  text: v.string(),
  count,
  length: v.union([count, closed({ ...sameOrNot, ...order })]),
  flag: v.union([flag, template]),
  true: v.literal(true),
  number,
  range,
  closeness: v.union([
    closed({
      value: documented(number, 'What it is close to.'),
      delta: documented(number, 'How far off it may be.'),
    }),
    template,
  ]),
  time: text,
  nearness: v.union([
    closed({
      to: optional(text, 'A time, or now (default).'),
      by: documented(text, 'How far off it may be, a duration.'),
    }),
    template,
  ]),
  unique: v.union([v.literal(true), text]),
  order: v.union([
    text,
    closed({
      field: optional(text, 'Of each element; default: the element itself.'),
      order: optional(v.picklist(['asc', 'desc']), 'Default asc.'),
    }),
  ]),
  schema: v.union([v.string(), anyMap, flag]),
  snapshot: v.union([
    v.literal(true),
    closed({
      name: optional(text, 'Of the snapshot, if a step has several.'),
      ignore: optional(v.array(text), 'Paths that are left out.'),
    }),
  ]),
} satisfies Record<Exclude<OperandKind, 'checks' | 'checksList'>, v.GenericSchema>
