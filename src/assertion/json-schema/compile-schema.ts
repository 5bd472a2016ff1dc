import { Ajv, type AnySchema, type Options, type SchemaValidateFunction, type ValidateFunction } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { FormatName } from 'ajv-formats'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { isInteger, isJsonObject, stringifyJson, toText, type Json, type JsonObject } from '../../json.ts'
import { canonicalText } from '../../compare-json.ts'
import { formatFieldPath, splitPointer } from '../../path/field-path.ts'
import type { ExpressionEngine } from '../../interpolation/variables/scope.ts'
import { previewValue } from '../../text/show-value.ts'
import { didYouMean } from '../../text/suggest.ts'
import { hasFormat } from '../formats.ts'
import { exactly, rewriteSchema } from './rewrite-schema.ts'

/** Tests a pattern with a time limit. */
type TestPattern = ExpressionEngine['test']

/** A compiled JSON Schema, or why there is none. */
export type CompiledSchema =
  | {
      validate(value: Json, test: TestPattern): { path: string; message: string }[]
      /** The schema that was compiled. */
      schema?: Json
      /** The name of the schema in messages. @default 'JSON Schema' */
      name?: string
    }
  | { problem: string }

const DRAFTS: ReadonlyMap<string, new (options: Options) => Ajv> = new Map([
  ['https://json-schema.org/draft/2020-12/schema', Ajv2020],
  ['https://json-schema.org/draft/2019-09/schema', Ajv2019],
  ['http://json-schema.org/draft-07/schema', Ajv],
])

// Set while a validation runs, so that patterns in schemas have a time limit too, and numbers all their digits.
let running: { test: TestPattern; value: Json } | undefined

// Keywords of OpenAPI that do not affect validation, and `$anchor`, which Ajv uses but calls unknown.
const ANNOTATIONS = ['example', 'externalDocs', 'xml', 'discriminator', '$anchor']

export type SchemaParts = {
  /** The schema and all that it needs, by URI. The schema is the first. */
  parts: ReadonlyMap<string, Json>
  /** Whether some are of an OpenAPI document. Their formats may have any name, and those not known check nothing. */
  isOpenApi: boolean
}

/** Compiles a JSON Schema: 2020-12, unless `$schema` names 2019-09 or draft-07. Nothing is fetched. */
export function compileSchema(schema: Json, { parts, isOpenApi }: SchemaParts): CompiledSchema {
  const [uri = '', ...others] = parts.keys()
  let at = uri
  let ajv: Ajv | undefined
  try {
    ajv = createAjv([...parts.values()])
    const text = isOpenApi ? stringifyJson(others.map((key) => parts.get(key) ?? null)) : ''
    for (const [name] of text.matchAll(/(?<="format":")[^"\\]+(?=")/g))
      if (!Object.hasOwn(fullFormats, name)) ajv.addFormat(name, true)
    for (const [key, part] of parts) {
      at = key
      // A mere reference needs no validation, for which Ajv first has to compile the schema of schemas.
      const isWritten = key === uri && Object.keys(part as JsonObject).join() !== '$ref'
      ajv.addSchema(readSchema(part), key, undefined, isWritten || !isOpenApi)
    }
    at = uri
    const validate = ajv.getSchema(uri) as ValidateFunction
    return {
      schema,
      validate(value, test) {
        running = { test, value }
        try {
          if (validate(roundDigits(value))) return []
          return (validate.errors ?? []).map((error) => ({
            path: readPointer(error.instancePath),
            message: `${error.message ?? error.keyword}${describeParams(error.params)}`,
          }))
        } finally {
          running = undefined
        }
      },
    }
  } catch (error) {
    const { message } = error as Error
    const unknown = /unknown (?:keyword:|format) "([^"]+)"/.exec(message)?.[1] ?? ''
    const meant = didYouMean(unknown, Object.keys({ ...ajv?.RULES.all, ...fullFormats }))
    const said = `${message}${at === uri ? '' : `, in ${at.replace('%23', '#')}`}`
      // Ajv calls the schema it checks `data`.
      .replaceAll(/\bdata(\/[^\s,]+)/g, (_, pointer: string) => `\`${readPointer(pointer).slice(1)}\``)
      .replace(/(?<=reference (?!suite:)\w+:\S+) from id .*/, '; nothing is fetched')
      .replace(/ from id suite:.*| ignored in schema(?= at path)/, '')
      .replace(/ from id (.*)/, ', which is relative to the `$id` $1; nothing is fetched')
      .replaceAll(/suite:\/(?:0\/)*(?:schema(?=#))?/g, '')
      .replaceAll(/(`\S+` must be object,boolean)(?:, \1)+/g, '$1')
    const tuple = /\bitems` must be object,boolean/.test(said)
      ? '; a list of schemas is `prefixItems` here, or `items` with `$schema: http://json-schema.org/draft-07/schema#`'
      : ''
    return { problem: said + meant + tuple }
  }
}

/** Copies data with doubles and normal prototypes: Ajv knows no bigints and needs prototypes to compare. */
function roundDigits(value: Json): Json {
  return JSON.parse(stringifyJson(value)) as Json
}

/** Reads a schema for Ajv. Throws for keywords that Ajv judges wrongly and for integers beyond a double. */
function readSchema(schema: Json): AnySchema {
  const misjudged = findMisjudged(schema)
  if (misjudged !== undefined) throw new Error(misjudged)
  return roundDigits(rewriteSchema(schema)) as AnySchema
}

// Where these lead depends on the schema that refers to them. Ajv does not always find the right one.
const DYNAMIC = ['$dynamicRef', '$dynamicAnchor', '$recursiveRef', '$recursiveAnchor']

/** Describes what Ajv would judge wrongly, or what doubles cannot tell apart; undefined if nothing. */
function findMisjudged(schema: Json, isCompared = false): string | undefined {
  if (isCompared && isInteger(schema) && !Number.isSafeInteger(schema))
    return `\`const\` and \`enum\` cannot tell ${schema} from the numbers next to it; use \`equals\` or \`in\``
  if (typeof schema !== 'object' || schema === null) return undefined
  const has = (key: string): boolean => Object.hasOwn(schema, key)
  if (has('__proto__')) return 'a property called `__proto__` is not supported'
  const dynamic = DYNAMIC.find(has)
  if (dynamic !== undefined) return `\`${dynamic}\` is not supported; refer to each schema with \`$ref\``
  if (has('unevaluatedItems') && /"(?:contains|anyOf|oneOf|if)":/.test(stringifyJson(schema)))
    return '`unevaluatedItems` is not supported together with `contains`, `anyOf`, `oneOf` or `if`; write `items`'
  if (has('unevaluatedProperties') && has('if') && has('else') && !has('then'))
    return '`unevaluatedProperties` is not supported beside `if` and `else` without `then`; write one that names the properties of the `if`'
  return Object.entries(schema)
    .values()
    .map(([key, part]) => findMisjudged(part, isCompared || key === 'const' || key === 'enum'))
    .find((found) => found !== undefined)
}

function createAjv(schemas: readonly Json[]): Ajv {
  // For example, `order.json#/definitions/Order` has the draft of its file.
  const named = schemas.flatMap((one) => (isJsonObject(one) ? (one['$schema'] ?? []) : []))
  const drafts = [...new Set(named.map((name) => toText(name).replace(/#$/, '')))]
  const Draft = drafts[0] === undefined ? Ajv2020 : DRAFTS.get(drafts[0])
  const advice = /draft-0[46]/.test(drafts.join()) ? '; write draft-07, and `$id` instead of `id`' : ''
  if (!Draft || drafts.length > 1)
    throw new Error(
      `\`$schema\` is ${drafts.join(' and ')}; it must be one of ${[...DRAFTS.keys()].join(', ')}${advice}`,
    )
  const ajv = new Draft({
    allErrors: true,
    allowMatchingProperties: true,
    strictTypes: false,
    strictTuples: false,
    logger: false,
    ownProperties: true,
    addUsedSchema: false,
    code: { regExp: boundedRegExp },
    // With this keyword of Ajv, a schema would validate asynchronously and nobody would see its errors.
  }).removeKeyword('$async')
  ajv.addVocabulary(ANNOTATIONS)
  for (const [keyword, type, validate] of ownKeywords) {
    const message = ({ schema }: { schema: unknown }): string =>
      `must match \`${keyword.replace(exactly, '')}: ${toText(schema as Json)}\``
    ajv.removeKeyword(keyword).addKeyword({ keyword, type, validate, error: { message } })
  }
  for (const [name, format] of Object.entries(fullFormats)) {
    const isOfText = typeof format === 'function' || (typeof format === 'object' && !('type' in format))
    const isFine = (text: string): boolean => hasFormat(name as FormatName, text, testBounded)
    ajv.addFormat(name, isOfText ? isFine : format)
  }
  return ajv
}

const boundedRegExp = Object.assign(
  (source: string, flags: string) => {
    // With the flag `u`, which Ajv gives, an escape such as `\-` is refused. Other languages allow it.
    const allowed = source.replace(/\\./gs, (pair) =>
      /[ !"#%&',\-:;<=>@_`~]$/.test(pair) ? `\\x${pair.charCodeAt(1).toString(16)}` : pair,
    )
    const pattern = new RegExp(allowed, flags)
    return {
      test: (text: string) => testBounded(pattern, text),
      // Ajv treats patterns with the same text as the same pattern.
      toString: () => pattern.toString(),
    }
  },
  { code: 'boundedRegExp' },
)

// Outside of a validation, this tests only the author's own schema, while it is compiled.
function testBounded(pattern: RegExp, text: string): boolean {
  const { source, flags } = pattern
  return running?.test({ source, flags }, text) ?? pattern.test(text)
}

// Ajv compares all pairs of items and knows no digits beyond 2⁵³, and of its doubles 2271837.32 is no multiple of 0.01.
const ownKeywords: readonly [string, 'array' | 'number', SchemaValidateFunction][] = [
  [
    'uniqueItems',
    'array',
    (wanted: boolean, ...of) => {
      const items: Json[] = readExact(...of)
      return !wanted || new Set(items.map(canonicalText)).size === items.length
    },
  ],
  ['multipleOf', 'number', (step: number, ...of) => countUnits(readExact(...of)) % countUnits(step) === 0n],
  [`${exactly}minimum`, 'number', (bound: string, ...of) => readExact(...of) >= BigInt(bound)],
  [`${exactly}maximum`, 'number', (bound: string, ...of) => readExact(...of) <= BigInt(bound)],
  [`${exactly}exclusiveMinimum`, 'number', (bound: string, ...of) => readExact(...of) > BigInt(bound)],
  [`${exactly}exclusiveMaximum`, 'number', (bound: string, ...of) => readExact(...of) < BigInt(bound)],
]

/** A part of the value that is validated, with all digits. Ajv also validates schemas, of which nothing is lost. */
function readExact<Part extends Json>(part: Part, _parent: unknown, place?: { instancePath: string }): Part {
  if (Number.isSafeInteger(part) || !running) return part
  const keys = splitPointer(place?.instancePath ?? '')
  return keys.reduce((holder, key) => (holder as JsonObject)[key] as Json, running.value) as Part
}

/** A number as written in decimals, in units small enough to make every double a whole number. */
function countUnits(number: number | bigint): bigint {
  if (typeof number === 'bigint') return number * 10n ** 399n
  const [first = '', power] = Math.abs(number).toExponential().split('e')
  const digits = first.replace('.', '')
  return BigInt(digits) * 10n ** BigInt(400 + Number(power) - digits.length)
}

/** The parameters of Ajv's errors that name a part of the value or schema. */
const NAMED = ['additionalProperty', 'unevaluatedProperty', 'propertyName', 'allowedValues', 'allowedValue']

function describeParams(params: Record<string, unknown>): string {
  const key = NAMED.find((name) => params[name] !== undefined)
  return key === undefined ? '' : ` (${previewValue(params[key] as Json)})`
}

// Turns a JSON Pointer (RFC 6901) into a path as authors write it after the name of a field.
function readPointer(pointer: string): string {
  return formatFieldPath(
    // A key such as `01` is not an index.
    splitPointer(pointer).map((name) => (/^(?:0|[1-9]\d{0,8})$/.test(name) ? Number(name) : name)),
    ' ',
  ).slice(1)
}
