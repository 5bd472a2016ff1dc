import * as v from 'valibot'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { MAX_TIMER_DELAY, parseDuration } from '../../text/units.ts'
import { hasTemplate } from '../../interpolation/template.ts'

type Run<Schema extends v.GenericSchema> = Schema['~run']

/** An object schema that reports every unknown key. (Valibot's own `strictObject` stops at the first and accepts lists.) */
export function closed<Entries extends v.ObjectEntries>(
  entries: Entries,
  expected = 'a map',
): v.StrictObjectSchema<Entries, undefined> {
  const base = v.strictObject(entries)
  const open = v.object(entries)
  const run: Run<typeof base> = (dataset, config) => {
    const input = dataset.value
    if (!isJsonObject(input)) return addIssue(base, 'type', [dataset, config, { expected }]) as never
    const result = open['~run'](dataset, config)
    for (const key of Object.keys(input)) {
      if (Object.hasOwn(entries, key)) continue
      const path = [{ type: 'object', origin: 'key', input, key, value: input[key], entries }]
      addIssue(base, 'key', [result, config, { input: key, expected: 'never', path }])
    }
    return result
  }
  return { ...base, '~run': run }
}

// Despite its underscore, this is Valibot's only way to add an issue from outside.
const { _addIssue: add } = v

type IssueContext = [dataset: unknown, config: unknown, other: object]

function addIssue(schema: v.GenericSchema, label: string, [dataset, config, other]: IssueContext): unknown {
  add(schema as never, label, dataset as never, config as never, other as never)
  return dataset
}

/** A union that reports the problems of the member with the fewest for this kind of value. If there is no single one, it reports `expected`, by default the problems of the first member. */
export function either<const Members extends [v.GenericSchema, v.GenericSchema, ...v.GenericSchema[]]>(
  members: Members,
  expected?: string,
): v.UnionSchema<Members, string | undefined> {
  const union = v.union(members, expected)
  const run: Run<typeof union> = (dataset, config) => {
    const results = members.map((member) => member['~run']({ value: dataset.value }, config))
    const fitting = results.find(({ issues }) => !issues)
    if (fitting) return fitting
    const [nearest, other] = results
      .filter(({ issues = [] }) => issues.some(({ kind, path }) => kind !== 'schema' || path))
      .toSorted((a, b) => countIssues(a) - countIssues(b))
    if (nearest && !(other && countIssues(other) === countIssues(nearest))) return nearest
    if (expected === undefined) return results[0] as never
    return addIssue(union, 'type', [dataset, config, { expected }]) as never
  }
  return { ...union, '~run': run }
}

function countIssues({ issues }: v.OutputDataset<unknown, v.BaseIssue<unknown>>): number {
  return issues?.length ?? 0
}

/** A map with at least one entry and values of one kind. (Valibot's own `record` accepts lists as maps.) */
export function mapOf<Schema extends v.GenericSchema>(
  value: Schema,
  expected: string,
): v.RecordSchema<v.StringSchema<undefined>, Schema, string> {
  const record = v.record(v.string(), value, expected)
  const run: Run<typeof record> = (dataset, config) =>
    isJsonObject(dataset.value) && Object.keys(dataset.value).length > 0
      ? record['~run'](dataset, config)
      : (addIssue(record, 'type', [dataset, config, { expected }]) as never)
  return { ...v.pipe(record, v.metadata({ minProperties: 1 })), '~run': run }
}

/** Uses a schema for types and editors, but checks only `now`. A parser checks the rest later, with positions and better messages. */
export function parsedLater<Schema extends v.GenericSchema>(schema: Schema, now: v.GenericSchema): Schema {
  return { ...schema, '~run': (dataset, config) => now['~run'](dataset, config) }
}

/** For `anyOf` or `oneOf` in a JSON Schema: one schema per key, which requires that key. */
export const requireEach = (keys: readonly string[]): { required: string[] }[] =>
  keys.map((key) => ({ required: [key] }))

/** Adds metadata for editors, about what only code checks, and keeps the type of the schema. */
export function told<Schema extends v.GenericSchema>(schema: Schema, metadata: object): Schema {
  return v.pipe(schema, v.metadata(metadata as never)) as unknown as Schema
}

/** A map with exactly one of two keys. */
export function oneKeyOf<Schema extends v.GenericSchema<object>>(
  schema: Schema,
  one: string,
  other: string,
): Schema {
  return v.pipe(
    schema,
    v.check((input) => one in input !== other in input, `a map with either \`${one}\` or \`${other}\``),
    v.metadata({ oneOf: requireEach([one, other]) }),
  ) as unknown as Schema
}

export const map = v.custom<JsonObject>(isJsonObject, 'a map')

/** Adds a description for editors (hover text) to a schema and keeps its type. */
export function documented<Schema extends v.GenericSchema>(schema: Schema, description: string): Schema {
  return told(schema, { description })
}

export function optional<Schema extends v.GenericSchema>(
  schema: Schema,
  description: string,
): v.OptionalSchema<Schema, undefined> {
  return v.optional(documented(schema, description))
}

export function oneOf<const Words extends readonly string[]>(
  ...words: Words
): v.PicklistSchema<Words, string> {
  const listed = words.map((word) => `\`${word}\``).join(', ')
  return v.picklist(words, listed.replace(/, (?=[^,]*$)/, ' or '))
}

export const text = v.pipe(v.string('a string'), v.regex(/\S/, 'a non-empty string'))

/** Refuses environment variables as shells write them: as a secret, their name would be sent, and shown nowhere. */
export const filled = v.regex<string, string>(
  /^(?!\$env\.|\$\{\w+\}$|\$[A-Z\d]+_\w+$)/,
  'a template, such as "{{$env.NAME}}" for an environment variable',
)

/** An HTTP method; editors offer the common ones. */
export const method = v.pipe(
  text,
  v.examples(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY']),
)

/** The name of a variable. One with a dot or bracket could not be read with `{{…}}`. */
export const variableName = v.pipe(
  v.string('a string'),
  v.nonEmpty('a non-empty string'),
  v.regex(/^[^\s.{}[\]"'`|]+$/u, 'the name of a variable, without spaces, dots, brackets or quotes'),
)

export const anyJson = v.any() as v.GenericSchema<Json>

export const anyMap = parsedLater(v.record(v.string(), anyJson), map) as v.GenericSchema<JsonObject>

export const flag = v.boolean('true or false')

/** A text with a `{{…}}`, whose value is only known when the step runs. */
export const template = v.pipe(
  v.custom<string>(hasTemplate, 'a string with {{…}}'),
  v.metadata({ type: 'string', pattern: '\\{\\{' }),
)

/** A whole number from `least` to `most`; `unit` is added to the message (` of milliseconds`). */
export function whole(least: number, most: number, unit = ''): v.GenericSchema<number> {
  const kind = `a whole number${unit}`
  const expected = `${kind}, ${most === Infinity ? `${least} or more` : `from ${least} to ${most}`}`
  const bounded = v.pipe(v.number(kind), v.integer(kind), v.minValue(least, expected))
  return most === Infinity ? bounded : v.pipe(bounded, v.maxValue(most, expected))
}

const DURATION = 'a duration such as `300ms`, `5s` or `15m`'

export const duration = v.pipe(v.string(DURATION), v.regex(/^\d+(\.\d+)?(ms|s|m|h|d)$/, DURATION))

/** A time of at least `least` ms: a number of milliseconds or a duration. */
function time(least: number): v.GenericSchema<number | string> {
  const bounded = v.pipe(
    duration,
    v.check((input) => parseDuration(input) >= least && parseDuration(input) <= MAX_TIMER_DELAY, DURATION),
  )
  return either(
    [whole(least, MAX_TIMER_DELAY, ' of milliseconds'), bounded],
    'a number of milliseconds, or a duration such as `300ms`, `5s` or `15m`',
  )
}

export const milliseconds = time(0)

/** A time limit in whole milliseconds or as a duration; never 0. */
export const limit = time(1)

/** A setting that may also be a text with a `{{…}}`. */
export function orTemplate<Schema extends v.GenericSchema>(
  schema: Schema,
): v.UnionSchema<[Schema, typeof template], string | undefined> {
  return either([schema, template])
}

export const condition = v.pipe(
  v.string('a JavaScript condition in quotes'),
  v.regex(/\S/, 'a non-empty condition'),
)

export const fixedText = v.pipe(text, v.regex(/^(?!.*\{\{).*\S/, 'a string without `{{…}}`'))

export const names = v.array(fixedText, 'a list of names')

/** An integer that a double cannot represent. */
export const longInteger = v.pipe(
  v.custom<bigint>((input) => typeof input === 'bigint', 'a number'),
  v.metadata({ type: 'integer' }),
)

/** A single value of a header, query parameter or form field. */
export const scalar: v.GenericSchema<string | number | bigint | boolean | null> = v.union(
  [v.string(), v.number(), longInteger, v.boolean(), v.null()],
  'a string, number, true, false or null',
)

/** Single values, or lists of them, by name; a later parser checks each one. */
export const fields = parsedLater(
  v.record(v.string(), v.union([scalar, v.array(scalar)])),
  v.custom<JsonObject>(isJsonObject, 'a map such as `{ name: value }`'),
)
