import * as v from 'valibot'
import type { OperandKind } from '../../assertion/operators/operator.ts'
import { operatorTable } from '../../assertion/operators/operators.ts'
import { TYPE_NAMES } from '../../assertion/operators/type.ts'
import { captureKeys } from '../../capture/capture.ts'
import { isJsonObject, type Json } from '../../json.ts'
import {
  anyJson,
  anyMap,
  closed,
  condition,
  documented,
  either,
  flag,
  longInteger,
  mapOf,
  parsedLater,
  scalar,
  template,
  text,
  whole,
} from './schema-parts.ts'

const number = v.union([v.number(), longInteger, template])
const count = v.union([whole(0, Infinity), template])
const list = v.union([v.array(anyJson), template])
const typeName = v.union([v.picklist(TYPE_NAMES), v.null()])
const sameOrNot = {
  equals: v.optional(anyJson),
  not_equals: v.optional(anyJson),
  in: v.optional(list),
  not_in: v.optional(list),
}
const order = {
  greater_than: v.optional(number),
  greater_than_or_equal: v.optional(number),
  less_than: v.optional(number),
  less_than_or_equal: v.optional(number),
}
const range = v.union([v.pipe(v.array(number), v.minLength(2), v.maxLength(2)), template])

const plainOperands = {
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
  closeness: v.union([closed({ value: number, delta: number }), template]),
  time: text,
  nearness: v.union([closed({ to: v.optional(text), by: text }), template]),
  unique: v.union([v.literal(true), text]),
  order: v.union([text, closed({ field: v.optional(text), order: v.optional(v.picklist(['asc', 'desc'])) })]),
  schema: v.union([v.string(), anyMap, flag]),
  snapshot: v.union([v.literal(true), closed({ name: v.optional(text), ignore: v.optional(v.array(text)) })]),
} satisfies Record<Exclude<OperandKind, 'checks' | 'checksList'>, v.GenericSchema>

type Operands = { [Kind in keyof typeof plainOperands]: v.InferInput<(typeof plainOperands)[Kind]> } & {
  checks: CheckTree
  checksList: CheckTree[]
}

type Operators = {
  [Name in keyof typeof operatorTable]?: Operands[(typeof operatorTable)[Name]['operand']] | undefined
}

/** Checks on one value and on the fields below it; a value that is not a map means `equals`. */
export type CheckTree = null | boolean | number | bigint | string | Json[] | CheckMap
/** Operators, and fields with checks of their own. */
export type CheckMap = Operators & { field?: CheckTree; [field: string]: CheckTree | undefined }

const checkTree: v.GenericSchema<CheckTree> = v.lazy(() => checksSchema)

const operands: Record<OperandKind, v.GenericSchema> = {
  ...plainOperands,
  // A union of its own: the description belongs to the operator, not to `checks`.
  checks: v.union([checkTree]),
  checksList: v.array(checkTree),
}

/** Every operator with the operand it takes; what has no operator's name is a field. */
export const operatorEntries: v.ObjectEntries = Object.fromEntries(
  Object.entries(operatorTable).map(([name, { operand, about }]) => [
    name,
    v.optional(documented(operands[operand], about)),
  ]),
)

const checkMap = v.objectWithRest(
  {
    ...operatorEntries,
    field: v.optional(
      documented(
        v.union([v.record(v.string(), checkTree), scalar, v.array(anyJson)]),
        'Below it every key is a field, also one with an operator’s name.',
      ),
    ),
  },
  checkTree,
) as v.GenericSchema<CheckMap>

/** A tree of checks. */
export const checksSchema: v.GenericSchema<CheckTree> = v.union([checkMap, scalar, v.array(anyJson)])

const statusClass = v.pipe(v.string(), v.regex(/^[1-5][xX]{2}$/))
const status = v.union([whole(100, 999), statusClass, template])
const statusChecks = closed({
  equals: v.optional(status),
  not_equals: v.optional(status),
  in: v.optional(v.union([v.array(status), template])),
  not_in: v.optional(v.union([v.array(status), template])),
  ...order,
})
const numberChecks = closed({
  equals: v.optional(number),
  not_equals: v.optional(number),
  ...order,
  between: v.optional(range),
})
const timeChecks = v.union([number, closed({ ...order, between: v.optional(range) })])

const custom = closed({
  name: v.optional(documented(text, 'Shown as the field of the check.')),
  condition: documented(
    condition,
    'JavaScript over status_code, headers, body, response_time, variables and request; passes only when true.',
  ),
  message: v.optional(documented(text, 'Shown when the condition is not true.')),
})

const where: v.GenericSchema<Record<string, CheckTree>> = v.lazy(() => assertSchema as never)

const asserted = parsedLater(
  v.pipe(
    v.object({
      status_code: v.optional(
        documented(
          v.union([status, v.array(status), statusChecks]),
          'A status, a class such as 2xx, a list of them, or operators.',
        ),
      ),
      headers: v.optional(
        documented(
          v.record(
            v.string(),
            v.union([scalar, v.array(anyJson), v.object(operatorEntries)]),
          ) as v.GenericSchema<Record<string, Json | Operators>>,
          'Header name (any case) → value or operators.',
        ),
      ),
      body: v.optional(
        documented(v.union([checkTree]), 'Checks on the body: fields down to operators or values.'),
      ),
      events: v.optional(
        documented(
          v.union([checkTree]),
          'Of a stream: checks on the list of its events, {event, data, id, at_ms} each: {minLength: 2}.',
        ),
      ),
      messages: v.optional(
        documented(
          v.union([checkTree]),
          'Of a WebSocket: checks on the list of its messages, {direction, type, data, at_ms} each.',
        ),
      ),
      responses: v.optional(
        documented(
          v.array(
            closed({
              where: documented(where, 'Checks on one answer: {status_code: 201}.'),
              count: documented(
                v.union([number, numberChecks]),
                'Of so many answers they hold, or number checks.',
              ),
            }),
          ),
          'Of a burst: of how many answers some checks hold: [{where: {status_code: 201}, count: 1}].',
        ),
      ),
      first_event_ms: v.optional(
        documented(timeChecks, 'Of a stream: at most so many milliseconds to the first event, or checks.'),
      ),
      data: v.optional(documented(v.union([checkTree]), 'Of a GraphQL answer: checks on `body.data`.')),
      errors: v.optional(
        documented(
          v.union([checkTree]),
          'Of a GraphQL answer: what is expected of `body.errors`; default none.',
        ),
      ),
      response_time_ms: v.optional(documented(timeChecks, 'At most so many milliseconds, or number checks.')),
      duration_ms: v.optional(
        documented(timeChecks, 'At most so many milliseconds from the first byte sent to the last received.'),
      ),
      size_bytes: v.optional(
        documented(v.union([number, numberChecks]), 'Bytes of the body: exactly so many, or number checks.'),
      ),
      cookies: v.optional(
        documented(
          v.record(v.string(), checkTree),
          'Cookie the answer sets → its value, checks on it, or its attributes (`http_only`, `same_site`, `max_age` …).',
        ),
      ),
      redirects: v.optional(
        documented(
          v.union([whole(0, Infinity), checkTree]),
          'How many were followed, or checks on the list of them.',
        ),
      ),
      custom: v.optional(documented(v.array(custom), 'Conditions in JavaScript.')),
    }),
    // Flat paths: `body.items[0].id: 5`, `headers.content-type: {contains: json}`.
    v.metadata({
      description:
        'Checks on status_code, headers, cookies, redirects, body, size_bytes, response_time_ms, duration_ms, custom.',
      patternProperties: {
        '^(body|events|messages|first_event_ms|data|errors|headers|cookies|redirects|status_code|response_time_ms|duration_ms|size_bytes)[.\\[]':
          {},
      },
      additionalProperties: false,
    }),
  ),
  isJsonObject,
  'a map of checks',
)

/** The `assert` of a step or branch as its author writes it. */
export interface AssertInput extends v.InferInput<typeof asserted> {}

// Under its own name: written out wherever it is used, it is more than TypeScript takes in the declarations of a package.
/** The `assert` of a step or branch. */
export const assertSchema = asserted as v.GenericSchema<AssertInput>

const captureMap = closed({
  path: documented(text, 'JMESPath over the response.'),
  default: v.optional(documented(anyJson, 'The value when nothing is found.')),
  optional: v.optional(documented(flag, 'Null when nothing is found.')),
})

/** Variables by name: a JMESPath expression over the response, a path with default, or a literal value. */
export const captureSchema = documented(
  mapOf(
    either([v.string(), captureMap, anyJson], 'a path or a value', (input) =>
      typeof input === 'string'
        ? 0
        : isJsonObject(input) && captureKeys.some((key) => Object.hasOwn(input, key))
          ? 1
          : 2,
    ),
    'a map of variable names to paths',
  ),
  'Variable name → JMESPath over the response.',
)
