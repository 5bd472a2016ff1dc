import * as v from 'valibot'
import type { OperandKind } from '../../assertion/operators/operator.ts'
import { STATUS_CLASS } from '../../assertion/operators/status.ts'
import { operatorTable } from '../../assertion/operators/operators.ts'
import { listTargets, targets, withPath, type TargetKind } from '../../assertion/targets.ts'
import { explainLack } from '../../path/exchange-fields.ts'
import { captureKeys, captureSources } from '../../capture/capture.ts'
import { isJsonObject, type Json } from '../../json.ts'
import * as s from './schema-parts.ts'
import { count, number, numberChecks, plainOperands } from './schema-operands.ts'

type Operands = { [Kind in keyof typeof plainOperands]: v.InferInput<(typeof plainOperands)[Kind]> } & {
  checks: CheckTree
  checksList: CheckTree[]
}

type Operators = {
  [Name in keyof typeof operatorTable]?: Operands[(typeof operatorTable)[Name]['operand']] | undefined
}

/** Checks on a value and the fields below it; anything but a map means `equals`. */
export type CheckTree = null | boolean | number | bigint | string | Json[] | CheckMap
/** Operators, and fields with their own checks. */
export type CheckMap = Operators & { field?: CheckTree; [field: string]: CheckTree | undefined }

const checkTree: v.GenericSchema<CheckTree> = v.lazy(() => checksSchema)

const operands: Record<OperandKind, v.GenericSchema> = {
  ...plainOperands,
  // A separate union, so that the description belongs to the operator, not to `checks`.
  checks: v.union([checkTree]),
  checksList: v.array(checkTree),
}

/** Every operator with its operand; any other key is a field. */
export const operatorEntries: v.ObjectEntries = Object.fromEntries(
  Object.entries(operatorTable).map(([name, { operand, about }]) => [
    name,
    s.optional(operands[operand], about),
  ]),
)

const checkMap = v.objectWithRest(
  {
    ...operatorEntries,
    field: s.optional(
      v.union([s.mapOf(checkTree, 'a map'), s.scalar, v.array(s.anyJson)]),
      'Every key below `field` is the name of a field, even one that is also an operator.',
    ),
  },
  checkTree,
) as v.GenericSchema<CheckMap>

const notEmpty = { minProperties: 1 }

/** Checks on a text. */
export const operatorsSchema: v.GenericSchema<Operators> = s.told(v.strictObject(operatorEntries), notEmpty)

export const checksSchema: v.GenericSchema<CheckTree> = v.union([
  s.told(checkMap, notEmpty),
  s.scalar,
  v.array(s.anyJson),
])

const status = v.union([s.whole(100, 999), v.pipe(v.string(), v.regex(STATUS_CLASS)), s.template])
const statuses = v.pipe(v.array(status), v.minLength(1))
const counts = v.union([count, numberChecks])

const condition = s.closed(
  {
    name: s.optional(s.text, 'Name of the check in messages and reports.'),
    condition: s.documented(s.condition, 'JavaScript over the response and `variables`; must be true.'),
    message: s.optional(s.text, 'Message if the condition is not true.'),
  },
  'a map `{name, condition, message}`',
)
const custom = v.pipe(
  v.array(condition, 'a list of `{name, condition, message}`'),
  v.minLength(1, 'a list with at least one condition'),
)

const textChecks = v.union([s.scalar, v.array(s.anyJson), operatorsSchema])
const texts = s.mapOf(textChecks, 'a map') as v.GenericSchema<Record<string, Json | Operators>>

const where: v.GenericSchema<Record<string, CheckTree>> = v.lazy(() => assertSchema as never)

const whereChecks = s.parsedLater(where, s.mapOf(s.anyJson, 'a map of checks on a response'))
const counted = s.closed(
  {
    where: s.documented(whereChecks, 'Checks on a single response.'),
    count: s.documented(s.parsedLater(counts, v.any()), 'How many responses must pass, or number checks.'),
  },
  '`{ where: { status_code: 201 }, count: 1 }`',
)
const responses = v.pipe(
  v.array(counted, 'a list of `{ where, count }`'),
  v.minLength(1, 'a list with at least one `{ where, count }`'),
)

const tree = v.union([checkTree])

/** The schema for targets of each kind. Null removes a default. */
const byKind = {
  status: v.nullable(v.union([status, statuses, numberChecks])),
  count: v.nullable(counts),
  time: v.nullable(v.union([number, numberChecks])),
  data: tree,
  // `date.is_near: {by: 5m}` has the operator in its key.
  headers: v.nullable(v.pipe(texts, v.metadata({ patternProperties: { '\\.': {} } }))),
  cookies: v.nullable(s.mapOf(checkTree, 'a map of cookie names')),
  selectors: v.nullable(texts),
  redirects: v.union([s.whole(0, Infinity), checkTree]),
  responses,
  custom,
  openapi: v.nullable(v.string()),
} satisfies Record<Exclude<TargetKind, 'message'>, v.GenericSchema>

// `message` belongs to `expect`, not to `assert`.
const { message: _, ...written } = targets
type Written = typeof written
const targetEntries = Object.fromEntries(
  Object.entries(written).map(([name, { kind, about }]) => [
    name,
    s.optional<v.GenericSchema>(byKind[kind], about),
  ]),
) as { [Name in keyof Written]: v.OptionalSchema<(typeof byKind)[Written[Name]['kind']], undefined> }

const ofGraphql = {
  data: s.optional(tree, 'GraphQL: checks on `body.data`.'),
  errors: s.optional(tree, 'GraphQL: checks on `body.errors`; by default there must be none.'),
}

const always = listTargets().filter((name) => !explainLack(name, 'checks', undefined))
const paths = [...withPath, ...Object.keys(ofGraphql)]
const takingData = Object.entries(operatorTable).filter(([, { operand }]) => /^(?:any|schema)$/.test(operand))
const beforeData = String.raw`.*\.(${takingData.map(([name]) => name).join('|')})$`

const asserted = s.parsedLater(
  v.pipe(
    v.object({ ...targetEntries, ...ofGraphql }),
    // Flat paths: `body.items[0].id: 5`, `headers.content-type: {contains: json}`.
    v.metadata({
      description: `Checks on ${always.join(', ')}.`,
      patternProperties: {
        [`^(${paths.join('|')})(?!${beforeData})[.\\[]`]: {
          anyOf: [{ $ref: '#/$defs/checks' }],
          description: 'A flat path to a value or checks: body.items[0].id: 7.',
        },
        [`^(${paths.join('|')})(?=[.\\[])${beforeData}`]: {
          description: 'An operator that compares with data: body.user.equals: {}.',
        },
        [`^(${listTargets('status', 'count', 'time').join('|')})[.\\[]`]: {
          description: 'An operator after its field: size_bytes.less_than: 1000.',
        },
      },
      additionalProperties: false,
    }),
  ),
  v.pipe(
    v.custom(isJsonObject, 'a map of checks'),
    v.looseObject({ custom: v.optional(custom), responses: v.optional(responses) }) as v.GenericSchema,
  ),
)

/** The `assert` of a step or branch as written. */
export interface AssertInput extends v.InferInput<typeof asserted> {}

// Has its own name: written out wherever it is used, it would be too long for TypeScript's declaration files.
/** The `assert` of a step or branch. */
export const assertSchema = asserted as v.GenericSchema<AssertInput>

const captureMap = v.pipe(
  s.closed({
    path: s.optional(s.text, 'JMESPath over the response.'),
    xpath: s.optional(s.text, 'XPath over an XML response.'),
    css: s.optional(s.text, 'CSS selector over an HTML or XML response.'),
    default: s.optional(s.anyJson, 'The value if nothing is found.'),
    optional: s.optional(s.flag, 'The value is null if nothing is found.'),
  }),
  v.check((input) => captureSources.some((key) => key in input), 'a map with `path`, `xpath` or `css`'),
  v.metadata({ anyOf: s.requireEach(captureSources) }),
)

const literal = v.pipe(
  v.custom<Json>((input) => !isJsonObject(input) || !captureKeys.some((key) => Object.hasOwn(input, key))),
  v.metadata({
    not: { anyOf: [{ type: ['null', 'string'] }, { type: 'object', anyOf: s.requireEach(captureKeys) }] },
  }),
)

const path = v.pipe(v.string(), v.metadata({ minLength: 1 }))
const captured = s.either([path, captureMap, literal], 'a path or a value')

/** Variables by name: a JMESPath expression over the response, a path with default, XPath or CSS, or a literal value. */
export const captureSchema = s.documented(
  s.mapOf(captured, 'a map of variable names to paths'),
  'Variable name → JMESPath over the response.',
)
