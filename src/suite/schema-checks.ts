import * as v from 'valibot'
import { isJsonObject, type Json } from '../json.ts'
import {
  anyJson,
  anyMap,
  closed,
  condition,
  documented,
  flag,
  parsedLater,
  scalar,
  template,
  text,
  whole,
} from './schema-parts.ts'

const number = v.union([v.number(), template])
const count = v.union([whole(0, Infinity), template])
const list = v.union([v.array(anyJson), template])
const typeNames = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] as const

const typeName = v.union([v.picklist(typeNames), v.null()])
const truth = v.union([flag, template])

const order = {
  greater_than: v.optional(documented(number, 'The number is greater.')),
  greater_than_or_equal: v.optional(documented(number, 'The number is greater or equal.')),
  less_than: v.optional(documented(number, 'The number is less.')),
  less_than_or_equal: v.optional(documented(number, 'The number is less or equal.')),
}

const sameOrNot = {
  equals: v.optional(documented(anyJson, 'Same JSON value; key order does not matter, types do.')),
  not_equals: v.optional(documented(anyJson, 'Not the same JSON value.')),
  in: v.optional(documented(list, 'One of these values.')),
  not_in: v.optional(documented(list, 'None of these values.')),
}

const length = v.union([count, closed({ ...sameOrNot, ...order })])

const flatOperators = {
  ...sameOrNot,
  contains: v.optional(documented(anyJson, 'Substring, element, or sub-object.')),
  not_contains: v.optional(documented(anyJson, 'No such substring, element or sub-object.')),
  type: v.optional(
    documented(
      v.union([typeName, v.array(typeName), template]),
      'JSON type, or a list of them; an integer is a number too.',
    ),
  ),
  pattern: v.optional(documented(v.string(), 'Regular expression, not anchored; `/…/i` sets flags.')),
  regex: v.optional(documented(v.string(), 'The same as `pattern`.')),
  minLength: v.optional(documented(count, 'At least as many characters, elements or fields.')),
  maxLength: v.optional(documented(count, 'At most as many characters, elements or fields.')),
  length: v.optional(documented(length, 'Exactly as many characters, elements or fields, or number checks.')),
  notEmpty: v.optional(documented(truth, 'true: neither null nor empty; false: null or empty.')),
  exists: v.optional(documented(truth, 'Whether the field is there (null is there).')),
  ...order,
  same_items: v.optional(documented(list, 'The same elements in any order.')),
  schema: v.optional(
    documented(v.union([v.string(), anyMap, flag]), 'JSON Schema, inline or the name of a file.'),
  ),
  snapshot: v.optional(
    documented(
      v.union([v.literal(true), closed({ name: v.optional(text), ignore: v.optional(v.array(text)) })]),
      "Compared with Vitest's snapshot; `ignore` leaves paths out.",
    ),
  ),
}

const operatorMap = v.object(flatOperators)

/** Checks on one value and on the fields below it; a value that is no map means `equals`. */
export type CheckTree = null | boolean | number | string | Json[] | CheckMap
/** Operators, and fields with checks of their own. */
export type CheckMap = v.InferInput<typeof operatorMap> & {
  each?: CheckTree
  field?: CheckTree
  [field: string]: CheckTree | undefined
}

const checkTree: v.GenericSchema<CheckTree> = v.lazy(() => checksSchema)

/** Every operator with the operand it takes; what has no operator's name is a field. */
export const operatorEntries = {
  ...flatOperators,
  each: v.optional(documented(v.union([checkTree]), 'Checks on every element of the list.')),
}

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
const timeChecks = closed({ ...sameOrNot, ...order })

const custom = closed({
  name: v.optional(documented(text, 'Shown as the field of the check.')),
  condition: documented(
    condition,
    'JavaScript over status_code, headers, body, response_time, variables and request; passes only when true.',
  ),
  message: v.optional(documented(text, 'Shown when the condition is not true.')),
})

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
          v.record(v.string(), v.union([scalar, v.array(anyJson), operatorMap])),
          'Header name (any case) → value or operators.',
        ),
      ),
      body: v.optional(
        documented(v.union([checkTree]), 'Checks on the body: fields down to operators or values.'),
      ),
      response_time_ms: v.optional(
        documented(v.union([number, timeChecks]), 'At most so many milliseconds, or number checks.'),
      ),
      custom: v.optional(documented(v.array(custom), 'Conditions in JavaScript.')),
    }),
    // Flat paths: `body.items[0].id: 5`, `headers.content-type: {contains: json}`.
    v.metadata({
      description: 'Checks on status_code, headers, body, response_time_ms, custom.',
      patternProperties: { '^(body|headers|status_code|response_time_ms)[.\\[]': {} },
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

/** Variables by name: a JMESPath expression over the response, a path with default, or a literal value. */
export const captureSchema = parsedLater(
  documented(
    v.record(
      v.string(),
      v.union([
        v.string(),
        v.object({ path: text, default: v.optional(anyJson), optional: v.optional(flag) }),
        anyJson,
      ]),
    ),
    'Variable name → JMESPath over the response.',
  ),
  isJsonObject,
  'a map of variable names to paths',
)

const branch = closed({
  assert: v.optional(assertSchema),
  capture: v.optional(captureSchema),
  variables: v.optional(documented(anyMap, 'Variables that are set only here.')),
})

/** The `scenarios` of a step. */
export const scenariosSchema = parsedLater(
  v.array(
    closed({
      name: v.optional(documented(text, 'Words for the reader.')),
      condition: documented(
        condition,
        'JMESPath over the response and `variables`, or one {{js: …}}; the first that matches decides.',
      ),
      // oxlint-disable-next-line unicorn/no-thenable -- the format's own word, and never a function
      then: v.optional(documented(branch, 'When the condition holds.')),
      else: v.optional(documented(branch, 'When it does not.')),
    }),
  ),
  Array.isArray,
  'a list of scenarios',
)
