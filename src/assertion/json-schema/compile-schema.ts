import { relative } from 'node:path/posix'
import { Ajv, type AnySchemaObject, type Options } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { FormatName } from 'ajv-formats'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { isInteger, isJsonObject, stringifyJson, toText, type Json, type JsonObject } from '../../json.ts'
import { canonicalText } from '../../compare-json.ts'
import { formatFieldPath, splitPointer } from '../../path/field-path.ts'
import type { ExpressionEngine } from '../../interpolation/variables/scope.ts'
import { previewValue, showValue } from '../../text/show-value.ts'
import { didYouMean } from '../../text/suggest.ts'
import { hasFormat } from '../formats.ts'
import { rewriteSchema } from './rewrite-schema.ts'

/** Tests a pattern with a time limit. */
type TestPattern = ExpressionEngine['test']

/** Returns the text of a file, which is named relative to the suite. */
export type ReadFile = (name: string) => string | Promise<string>

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

const LATEST = 'https://json-schema.org/draft/2020-12/schema'
const DRAFTS: ReadonlyMap<string, new (options: Options) => Ajv> = new Map([
  [LATEST, Ajv2020],
  ['https://json-schema.org/draft/2019-09/schema', Ajv2019],
  ['http://json-schema.org/draft-07/schema', Ajv],
])

// Set while a validation runs, so that patterns in schemas have a time limit too.
let testPattern: TestPattern | undefined

// Keywords of OpenAPI that do not affect validation, and `$anchor`, which Ajv uses but calls unknown.
const ANNOTATIONS = ['example', 'externalDocs', 'xml', 'discriminator', '$anchor']

/**
 * Compiles a JSON Schema, or the one that `file.json#/pointer` names, with the files that its `$ref`s name. The
 * draft is 2020-12, unless `$schema` names 2019-09 or draft-07. Nothing is fetched.
 */
export async function compileSchema(operand: Json, readFile: ReadFile): Promise<CompiledSchema> {
  const [file = '', pointer = ''] = typeof operand === 'string' ? operand.split('#') : ['schema']
  let ajv: Ajv | undefined
  try {
    const main = isJsonObject(operand) ? adaptSchema(operand) : await readSchema(file, readFile)
    const draft = readDraft(main)
    const own = createAjv(draft, async (uri) => {
      const name = readUri(uri)
      return admit(await readSchema(name, readFile), name)
    })
    ajv = own
    let isOpenApi = false
    const admit = (schema: AnySchemaObject, name: string): AnySchemaObject => {
      if ('$schema' in schema && readDraft(schema) !== draft)
        throw new Error(`\`${name}\` has another \`$schema\` than the schema that refers to it (${draft})`)
      isOpenApi ||= 'openapi' in schema || 'swagger' in schema
      if (schema !== main || typeof operand === 'string') allowNames(own, schema)
      if (isOpenApi) allowFormats(own, schema)
      else refuseInvalid(own, schema, name)
      // Ajv resolves a `$ref` after another one relative to an `$id`.
      return { $id: toUri(name), ...schema }
    }
    const base = toUri(file)
    const uri = `${base}#${pointer}`
    own.addSchema(admit(main, file), base)
    await own.compileAsync({ $ref: uri })
    const validate = own.getSchema(uri)
    if (!validate || !isJsonObject(validate.schema)) throw new Error(`${uri} is not a schema`)
    if (!isOpenApi) refuseInvalid(own, validate.schema, file)
    return {
      schema: validate.schema as Json,
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
    const unknown = /unknown (?:keyword:|format) "([^"]+)"/.exec(message)?.[1] ?? ''
    const meant = didYouMean(unknown, Object.keys({ ...ajv?.RULES.all, ...fullFormats }))
    const said = message.replaceAll(/suite:\/(?:0\/)*/g, '').replace('AnySchema', 'the schema')
    return { problem: said + meant }
  }
}

// Files get URIs, so that `$ref`s can be resolved as the specification says. The base leaves room for `../`.
const BASE = '/0/0/0/0/0/0/0/0/'

function toUri(name: string): string {
  return new URL(encodeURI(name).replace(/[?#:]/g, encodeURIComponent), `suite:${BASE}`).href
}

function readUri(uri: string): string {
  if (!uri.startsWith('suite:')) throw new Error(`can't resolve reference ${uri}; nothing is fetched`)
  const path = decodeURIComponent(uri.slice('suite:'.length))
  return path.startsWith('/0/') ? relative(BASE, path) : path
}

const parsed = new Map<string, AnySchemaObject>()
const MAX_PARSED = 50

/** Reads a file with a schema, or with several, such as an OpenAPI document. */
async function readSchema(name: string, readFile: ReadFile): Promise<AnySchemaObject> {
  const isYaml = /\.ya?ml$/i.test(name)
  let content: Json
  let key: string
  try {
    const text = (await readFile(name)).replace(/^\uFEFF/, '')
    // Many checks may name schemas of one large document.
    key = `${isYaml} ${text}`
    const known = parsed.get(key)
    if (known) return known
    content = (isYaml ? (await import('yaml')).parse(text, { merge: true }) : JSON.parse(text)) as Json
    if (!isJsonObject(content)) throw new Error(`expected a map, got ${showValue(content)}`)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const [what = ''] = message.split(/:?\n/)
    const why =
      code === 'ENOENT' ? 'does not exist' : `could not be read as ${isYaml ? 'YAML' : 'JSON'}: ${what}`
    throw new Error(`the file \`${name}\` ${why}`, { cause: error })
  }
  const schema = adaptSchema(content)
  if (parsed.size >= MAX_PARSED) parsed.clear()
  parsed.set(key, schema)
  return schema
}

/** Lets the keys of a file that is not a schema have any name. Ajv compiles them too; nothing matches them. */
function allowNames(ajv: Ajv, file: AnySchemaObject): void {
  const names = Object.keys(file)
  if (names.some((name) => name in ajv.RULES.all)) return
  for (const keyword of names.filter((name) => !(name in ajv.RULES.keywords)))
    ajv.addKeyword({ keyword, validate: () => false, error: { message: NO_SCHEMA } })
}

const NO_SCHEMA =
  'cannot match a file that is not a schema: name one in it, such as `api.yaml#/components/schemas/Order`'

/** Lets the formats in an OpenAPI document have any name. Those not known check nothing. */
function allowFormats(ajv: Ajv, document: AnySchemaObject): void {
  for (const [name] of JSON.stringify(document).matchAll(/(?<="format":")[^"\\]+(?=")/g))
    if (!Object.hasOwn(fullFormats, name)) ajv.addFormat(name, true)
}

function refuseInvalid(ajv: Ajv, schema: AnySchemaObject, name: string): void {
  if (ajv.validateSchema(schema) === true) return
  throw new Error(`the schema is invalid: ${ajv.errorsText(ajv.errors?.slice(0, 1), { dataVar: name })}`)
}

/** Copies data with doubles and normal prototypes: Ajv knows no bigints and needs prototypes to compare. */
function roundDigits(value: Json): Json {
  return JSON.parse(stringifyJson(value)) as Json
}

/** Rewrites a schema for Ajv. Throws for keywords that Ajv judges wrongly and for integers beyond a double. */
function adaptSchema(schema: JsonObject): AnySchemaObject {
  const misjudged = findMisjudged(schema)
  if (misjudged !== undefined) throw new Error(misjudged)
  return rewriteSchema(roundDigits(schema)) as AnySchemaObject
}

// Where the first four lead depends on the schema that refers to them; Ajv does not always find the right one.
const UNSUPPORTED = ['$dynamicRef', '$dynamicAnchor', '$recursiveRef', '$recursiveAnchor', 'unevaluatedItems']

/** Describes what Ajv would judge wrongly, or what doubles cannot tell apart; undefined if nothing. */
function findMisjudged(schema: Json, isCompared = false): string | undefined {
  if (isCompared && isInteger(schema) && !Number.isSafeInteger(schema))
    return `\`const\` and \`enum\` cannot tell ${schema} from the numbers next to it; use \`equals\` or \`in\``
  if (typeof schema !== 'object' || schema === null) return undefined
  const has = (key: string): boolean => Object.hasOwn(schema, key)
  if (has('__proto__')) return 'a property called `__proto__` is not supported'
  const unsupported = UNSUPPORTED.find(has)
  if (unsupported !== undefined) return `\`${unsupported}\` is not supported`
  if (has('unevaluatedProperties') && has('if') && !has('then'))
    return '`unevaluatedProperties` is not supported beside an `if` without `then`'
  return Object.entries(schema)
    .values()
    .map(([key, part]) => findMisjudged(part, isCompared || key === 'const' || key === 'enum'))
    .find((found) => found !== undefined)
}

function readDraft({ $schema = LATEST }: AnySchemaObject): string {
  return toText($schema).replace(/#$/, '')
}

function createAjv(draft: string, loadSchema: NonNullable<Options['loadSchema']>): Ajv {
  const Draft = DRAFTS.get(draft)
  if (!Draft) throw new Error(`\`$schema\` is ${draft}; it must be one of ${[...DRAFTS.keys()].join(', ')}`)
  const ajv = new Draft({
    loadSchema,
    validateSchema: false,
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
    const message = ({ schema }: { schema: number | boolean }): string =>
      `must match \`${keyword}: ${schema}\``
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
  return testPattern?.({ source, flags }, text) ?? pattern.test(text)
}

// Ajv compares all pairs of items, and divides doubles, of which 2271837.32 is no multiple of 0.01.
const ownKeywords = [
  ['uniqueItems', 'array', hasUniqueItems],
  ['multipleOf', 'number', (step: number, value: number) => countUnits(value) % countUnits(step) === 0n],
] as const

function hasUniqueItems(wanted: boolean, items: Json[]): boolean {
  return !wanted || new Set(items.map(canonicalText)).size === items.length
}

/** A number as written in decimals, in units small enough to make every double a whole number. */
function countUnits(number: number): bigint {
  const [first = '', power] = Math.abs(number).toExponential().split('e')
  const digits = first.replace('.', '')
  return BigInt(digits) * 10n ** BigInt(400 + Number(power) - digits.length)
}

function describeParams(params: Record<string, unknown>): string {
  const named =
    params['additionalProperty'] ??
    params['unevaluatedProperty'] ??
    params['propertyName'] ??
    params['allowedValues'] ??
    params['allowedValue']
  return named === undefined ? '' : ` (${previewValue(named as Json)})`
}

// Turns a JSON Pointer (RFC 6901) into a path as authors write it after the name of a field.
function readPointer(pointer: string): string {
  return formatFieldPath(
    // A key such as `01` is not an index.
    splitPointer(pointer).map((name) => (/^(?:0|[1-9]\d{0,8})$/.test(name) ? Number(name) : name)),
    ' ',
  ).slice(1)
}
