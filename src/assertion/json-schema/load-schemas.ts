import { sep } from 'node:path'
import { dirname, join } from 'node:path/posix'
import { canonicalText } from '../../compare-json.ts'
import { listReferring } from './rewrite-schema.ts'
import type { CompiledSchema } from './compile-schema.ts'
import { flattenChecks, type Check } from '../check.ts'
import { splitPointer } from '../../path/field-path.ts'
import { describeContent } from '../../path/walk-path.ts'
import { isJsonObject, parseJson, type Json, type JsonObject } from '../../json.ts'
import { showValue } from '../../text/show-value.ts'

/** The compiled schemas, by the operands of their checks. */
export type Schemas = ReadonlyMap<Json, CompiledSchema>

/** What an OpenAPI document says of a response: `about` names it. `schema` is that of its JSON body; undefined if there is nothing to validate. */
export type Contract = { about: string; schema?: CompiledSchema } | { problem: string }

/** Schemas of other kinds (zod, valibot …), by the operands of the `schema` checks that stand for them. */
export const givenSchemas = new WeakMap<object, CompiledSchema>()

/** Reads the text of a file that is named relative to the suite. */
export type ReadFile = (name: string) => string | Promise<string>

/** Stands for a name if a schema, or a reference to one, is written in the suite. */
const OWN = 'schema'

const cached = new Map<string, CompiledSchema>()
const parsed = new Map<string, Json>()
const MAX_CACHED = 500
const MAX_PARSED = 50

/**
 * Compiles the schemas of all `schema` checks. Undefined if there are none; then ajv is not even loaded.
 * `readFile` returns the text of a file. If it throws, or a schema does not compile, the check fails later.
 */
export async function loadSchemas(
  checks: readonly Check[],
  readFile: ReadFile,
): Promise<Schemas | undefined> {
  const own = flattenChecks(checks).filter(({ operator }) => operator === 'schema')
  const operands = new Set(own.map(({ expected }) => expected))
  if (operands.size === 0) return undefined
  const schemas = new Map<Json, CompiledSchema>()
  for (const operand of operands) schemas.set(operand, await compileOnce(operand, readFile))
  return schemas
}

/** Compiles a schema, or the part of a file that a reference names. */
export async function compileOnce(named: Json, readFile: ReadFile): Promise<CompiledSchema> {
  const own = isJsonObject(named) ? givenSchemas.get(named) : undefined
  if (own) return own
  // Relative `$ref`s have `/` on Windows too.
  const operand = typeof named === 'string' ? named.replaceAll(sep, '/') : named
  const isFile = typeof operand === 'string' && !operand.includes('#')
  const name = isFile ? operand : OWN
  let schema: Json = typeof operand === 'string' ? { $ref: operand } : operand
  const parts = new Map<string, Json>()
  const contents = new Map<string, Json>()
  try {
    if (isFile) schema = await readSchema(name, readFile)
    contents.set(name, schema)
    await addPart(schema, toUri(name), { name, content: schema, contents, parts, readFile })
  } catch (error) {
    return { problem: (error as Error).message }
  }
  const isOpen = contents.values().some(isOpenApi)
  const key = canonicalText([isOpen, ...parts].flat())
  const known = cached.get(key)
  if (known) return known
  const { compileSchema } = await import('./compile-schema.ts')
  // Of a reference, what it names.
  const { $ref } = parts.get(toUri(name)) as { $ref?: string }
  const compiled = compileSchema(parts.get($ref ?? '') ?? schema, { parts, isOpenApi: isOpen })
  if (cached.size >= MAX_CACHED) cached.clear()
  cached.set(key, compiled)
  return compiled
}

export async function readSchema(name: string, readFile: ReadFile): Promise<Json> {
  const isYaml = /\.ya?ml$/i.test(name)
  try {
    const text = (await readFile(name)).replace(/^\uFEFF/, '')
    // Many checks may name schemas of one large document.
    const key = `${isYaml} ${text}`
    let content = parsed.get(key)
    if (content === undefined) {
      content = isYaml ? await parseYaml(text) : parseJson(text)
      if (parsed.size >= MAX_PARSED) parsed.clear()
      parsed.set(key, content)
    }
    if (isJsonObject(content) || typeof content === 'boolean') return content
    throw new Error(`expected a map, got ${showValue(content)}`)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const [what = ''] = message.split(/:?\n/)
    const why =
      code === 'ENOENT' ? 'does not exist' : `could not be read as ${isYaml ? 'YAML' : 'JSON'}: ${what}`
    throw new Error(`the file \`${name}\` ${why}`, { cause: error })
  }
}

function shorten(_key: unknown, value: unknown): unknown {
  return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value
}

/** Parses YAML; integers lose no digits. */
async function parseYaml(text: string): Promise<Json> {
  const { parse } = await import('yaml')
  return parse(text, shorten, { merge: true, intAsBigInt: true }) as Json
}

// Files get URIs, so that `$ref`s can be resolved as the specification says. The base leaves room for `../`.
function toUri(name: string): string {
  return new URL(encodeURI(name).replace(/[?#:]/g, encodeURIComponent), 'suite:/0/0/0/0/0/0/0/0/').href
}

type OpenSchema = {
  /** The name of a file, and what is in it. */
  name: string
  content: Json
  /** All files that were read, by their names. */
  contents: Map<string, Json>
  /** What is needed of them, by URI. Other parts, such as parameters, need not be schemas, and may be many. */
  parts: Map<string, Json>
  readFile: ReadFile
}

/** Adds a part of a file, and the parts that its `$ref`s name, which become URIs. */
async function addPart(part: Json, uri: string, place: OpenSchema): Promise<void> {
  const { name, content, parts } = place
  if (part === content) refuseDocument(name, content)
  if (parts.has(uri)) return
  const copy = structuredClone(part)
  if (isJsonObject(copy) && isJsonObject(content) && '$schema' in content)
    copy['$schema'] = content['$schema']
  parts.set(uri, copy)
  for (const referring of listReferring(copy)) referring.$ref = await resolveRef(referring.$ref, place)
}

/** True for the path of a reference that is a URL. */
export const isRemote = (path: string): boolean => /^[a-z][a-z\d+.-]*:/i.test(path)

/** The name of the file to which a reference in another file leads. */
export const resolveName = (from: string, path: string): string =>
  join(dirname(from), decodeURIComponent(path))

/** Adds what a `$ref` names, and returns its URI. */
async function resolveRef(ref: string, from: OpenSchema, tries = 20): Promise<string> {
  const [path = '', pointer = ''] = ref.split('#')
  if (isRemote(path)) return ref
  const name = path === '' ? from.name : resolveName(from.name, path)
  const content = from.contents.get(name) ?? (await readSchema(name, from.readFile))
  from.contents.set(name, content)
  const place = { ...from, name, content }
  const whole = toUri(name)
  if (from.parts.has(whole)) return `${whole}#${pointer}`
  let part: Json = content
  for (const [index, key] of splitPointer(decodeURIComponent(pointer)).entries()) {
    const { $id, $ref }: JsonObject = isJsonObject(part) ? part : {}
    if (typeof $id === 'string') {
      part = content // Ajv resolves what is below an `$id`.
      break
    }
    if (Object.hasOwn(Object(part) as object, key)) part = (part as JsonObject)[key] as Json
    else if (typeof $ref === 'string' && tries > 0) {
      // On the way there may be references of path items and responses, which JSON Schema does not know.
      const rest = pointer.split('/').slice(index + 1)
      return resolveRef([$ref.includes('#') ? $ref : `${$ref}#`, ...rest].join('/'), place, tries - 1)
    } else if (from.name === OWN) {
      const owner = ['#', ...pointer.split('/').slice(1, index + 1)].join('/')
      const there = describeContent(part, key, owner)
      throw new Error(`can't resolve reference ${name}#${pointer}; \`${owner}\` ${there}`)
    } else return `${whole}#${pointer}`
  }
  refuseResponse(part, `${name}#${pointer}`)
  const isWhole = part === content
  const uri = isWhole ? whole : toUri(`${name}#${pointer}`)
  await addPart(part, uri, place)
  return isWhole ? `${uri}#${pointer}` : uri
}

/** Throws for a response or the content of one, which has a schema but is none. */
function refuseResponse(part: Json, named: string): void {
  const { content, schema }: JsonObject = isJsonObject(part) ? part : {}
  const [type] = isJsonObject(content) ? Object.keys(content) : []
  const rest = type === undefined ? schema && '/schema' : `/content/${type.replaceAll('/', '~1')}/schema`
  if (rest) throw new Error(`\`${named}\` has a schema, but is none: write \`${named}${rest}\``)
}

/** True for an OpenAPI document, which has schemas but is not one. */
export function isOpenApi(content: Json): content is JsonObject {
  return isJsonObject(content) && ('openapi' in content || 'swagger' in content)
}

/** Throws for an OpenAPI document, which as a schema would accept every value. */
function refuseDocument(name: string, content: Json): void {
  if (isOpenApi(content))
    throw new Error(
      `\`${name}\` is an OpenAPI document: name a schema of it, such as \`${name}#/components/schemas/Order\``,
    )
}
