import { Ajv, type AnySchema, type Options } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { isInteger, isJsonObject, readOwn, stringifyJson, type Json } from '../../json.ts'
import { canonicalText } from '../../compare-json.ts'
import { formatFieldPath } from '../../path/field-path.ts'
import type { ExpressionEngine } from '../../interpolation/variables/scope.ts'
import { previewValue } from '../../text/show-value.ts'
import { didYouMean } from '../../text/suggest.ts'

/** Tests a pattern with a time limit. */
type TestPattern = ExpressionEngine['test']

/** A compiled JSON Schema, or why there is none. */
export type CompiledSchema =
  | {
      validate(value: Json, test: TestPattern): { path: string; message: string }[]
      /** What it was compiled from. */
      schema?: Json
      /** What messages call it. @default 'JSON Schema' */
      name?: string
    }
  | { problem: string }

const DRAFT_2020 = 'https://json-schema.org/draft/2020-12/schema'
const DRAFTS: ReadonlyMap<string, new (options: Options) => Ajv> = new Map([
  [DRAFT_2020, Ajv2020],
  ['https://json-schema.org/draft/2019-09/schema', Ajv2019],
  ['http://json-schema.org/draft-07/schema', Ajv],
])

// Set while a validation runs, so that patterns in schemas are time-limited like all others.
let testPattern: TestPattern | undefined

// What OpenAPI adds to a schema and validation ignores.
const ANNOTATIONS = ['example', 'externalDocs', 'xml', 'discriminator']

/** The files that a schema's `$ref`s lead to, by their URI, and the schema's own URI, to which they are relative. `words` are not keywords but are accepted. */
export type SchemaFiles = { uri: string; others: ReadonlyMap<string, Json>; words: readonly string[] }

/** Compiles a JSON Schema (2020-12, or 2019-09 or draft-07 if `$schema` says so); nothing is fetched. */
export function compileSchema(schema: Json, { uri, others, words }: SchemaFiles): CompiledSchema {
  let ajv: Ajv | undefined
  try {
    ajv = createAjv(schema, [...ANNOTATIONS, ...words])
    for (const [other, content] of others) ajv.addSchema(readSchema(content), other)
    ajv.addSchema(readSchema(schema), uri)
    const validate = ajv.getSchema(uri)
    if (validate === undefined) throw new Error('it has a `$id` of its own kind')
    return {
      schema,
      validate(value, test) {
        testPattern = test
        try {
          if (validate(roundDigits(value))) return []
          return (validate.errors ?? []).map((error) => ({
            path: readPointer(error.instancePath),
            message: `${error.message ?? error.keyword}${describeParams(error.params)}`,
          }))
        } finally {
          testPattern = undefined
        }
      },
    }
  } catch (error) {
    const { message } = error as Error
    const unknown = /unknown keyword: "([^"]*)"/.exec(message)?.[1]
    const meant = unknown === undefined ? '' : didYouMean(unknown, Object.keys(ajv?.RULES.all ?? {}))
    const said = message
      // Ajv calls the schema it checks `data`.
      .replaceAll(/\bdata(\/[^\s,]+)/g, (_, pointer: string) => `\`${readPointer(pointer).slice(1)}\``)
      .replace(/ from id suite:.*/, '')
      .replaceAll(/suite:\/(?:0\/)*/g, '')
    return { problem: said + meant }
  }
}

/** A copy with doubles and normal prototypes: Ajv has no bigint, and compares no objects without a prototype. */
function roundDigits(value: Json): Json {
  return JSON.parse(stringifyJson(value)) as Json
}

/** The same for a schema; throws if it would then compare with a different integer. */
function readSchema(schema: Json): AnySchema {
  const long = findLong(schema)
  if (long !== undefined)
    throw new Error(
      `\`const\` and \`enum\` cannot tell ${long} from its neighbours; ask with \`equals\` or \`in\``,
    )
  return roundDigits(schema) as AnySchema
}

/** The first integer in `const` or `enum` that a double may not hold exactly. */
function findLong(schema: Json, isCompared = false): number | bigint | undefined {
  if (typeof schema !== 'object' || schema === null)
    return isCompared && isInteger(schema) && !Number.isSafeInteger(schema) ? schema : undefined
  const parts = Object.entries(schema)
  return parts
    .map(([key, part]) => findLong(part, isCompared || key === 'const' || key === 'enum'))
    .find((long) => long !== undefined)
}

function createAjv(schema: Json, words: readonly string[]): Ajv {
  const named = isJsonObject(schema) ? readOwn(schema, '$schema') : undefined
  const draft = typeof named === 'string' ? named.replace(/#$/, '') : DRAFT_2020
  const Draft = DRAFTS.get(draft)
  if (!Draft) throw new Error(`\`$schema\` is \`${draft}\`; supported are ${[...DRAFTS.keys()].join(', ')}`)
  const ajv = new Draft({
    allErrors: true,
    strictTypes: false,
    strictTuples: false,
    logger: false,
    ownProperties: true,
    // `19.99` is a multiple of `0.01`, although their doubles are not.
    multipleOfPrecision: 8,
    addUsedSchema: false,
    code: { regExp: boundedRegExp },
  })
  for (const word of new Set(words)) if (ajv.getKeyword(word) === false) ajv.addKeyword(word)
  // Ajv compares all pairs of objects; this one is linear.
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({ keyword: 'uniqueItems', type: 'array', schemaType: 'boolean', validate: hasUniqueItems })
  for (const [name, format] of Object.entries(fullFormats))
    ajv.addFormat(name, format instanceof RegExp ? (text: string) => testBounded(format, text) : format)
  return ajv
}

const boundedRegExp = Object.assign(
  (source: string, flags: string) => {
    const pattern = new RegExp(source, flags)
    return {
      test: (text: string) => testBounded(pattern, text),
      // Ajv treats patterns with equal text as one pattern.
      toString: () => pattern.toString(),
    }
  },
  { code: 'boundedRegExp' },
)

// Outside a validation only the author's own schema is tested, during compilation.
function testBounded(pattern: RegExp, text: string): boolean {
  return testPattern
    ? testPattern({ source: pattern.source, flags: pattern.flags }, text)
    : pattern.test(text)
}

function hasUniqueItems(wanted: boolean, items: Json[]): boolean {
  return !wanted || new Set(items.map(canonicalText)).size === items.length
}

function describeParams(params: Record<string, unknown>): string {
  const named = params['additionalProperty'] ?? params['allowedValues'] ?? params['allowedValue']
  return named === undefined ? '' : ` (${previewValue(named as Json)})`
}

// A JSON Pointer (RFC 6901), written as authors write paths after the name of a field.
function readPointer(pointer: string): string {
  const names = pointer.split('/').slice(1)
  const path = names.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  return formatFieldPath(
    // A key such as `01` is not an index.
    path.map((name) => (/^(?:0|[1-9]\d{0,8})$/.test(name) ? Number(name) : name)),
    ' ',
  ).slice(1)
}
