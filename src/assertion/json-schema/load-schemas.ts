import { sep } from 'node:path'
import { dirname, join } from 'node:path/posix'
import { canonicalText } from '../../compare-json.ts'
import type { CompiledSchema } from './compile-schema.ts'
import { flattenChecks, type Check } from '../check.ts'
import { splitPointer } from '../../path/field-path.ts'
import { isJsonObject, stringifyJson, type Json, type JsonObject } from '../../json.ts'
import { showValue } from '../../text/show-value.ts'

/** The compiled schemas, by the operands of their checks. */
export type Schemas = ReadonlyMap<Json, CompiledSchema>

/** Schemas of other kinds (zod, valibot …), by the operands of the `schema` checks that stand for them. */
export const givenSchemas = new WeakMap<object, CompiledSchema>()

type ReadFile = (name: string) => string | Promise<string>

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

async function compileOnce(named: Json, readFile: ReadFile): Promise<CompiledSchema> {
  const own = isJsonObject(named) ? givenSchemas.get(named) : undefined
  if (own) return own
  // Relative `$ref`s have `/` on Windows too.
  const operand = typeof named === 'string' ? named.replaceAll(sep, '/') : named
  const isFile = typeof operand === 'string' && !operand.includes('#')
  const name = isFile ? operand : 'schema'
  const uri = toUri(name)
  let schema: Json = typeof operand === 'string' ? { $ref: operand } : operand
  const contents = new Map<string, Json>()
  const files = new Map<string, Json>()
  try {
    if (isFile) schema = await readSchema(name, readFile)
    else if (typeof operand === 'string') schema = { $ref: await findTarget(operand, readFile) }
    refuseDocument(name, schema)
    contents.set(uri, schema)
    files.set(uri, schema)
    await followRefs(schema, name, { readFile, contents, files, seen: new Set() })
  } catch (error) {
    return { problem: (error as Error).message }
  }
  const key = canonicalText([...files].flat())
  const known = cached.get(key)
  if (known) return known
  const { compileSchema } = await import('./compile-schema.ts')
  const words = [...files].flatMap(([at, kept]) =>
    listWords(kept, isOpenApi(kept) || kept !== contents.get(at)),
  )
  // In OpenAPI, a format may have any name, and one that is not known restricts nothing.
  const isOpen = contents.values().some(isOpenApi)
  const formats = isOpen ? [...files.values()].flatMap((kept) => findAll(kept, OF_FORMAT)) : []
  const compiled = compileSchema(schema, { uri, files, words, formats })
  if (cached.size >= MAX_CACHED) cached.clear()
  cached.set(key, compiled)
  return compiled
}

async function readSchema(name: string, readFile: ReadFile): Promise<Json> {
  const isYaml = /\.ya?ml$/i.test(name)
  try {
    const text = (await readFile(name)).replace(/^\uFEFF/, '')
    // Many checks may name schemas of one large document.
    const key = `${isYaml} ${text}`
    const known = parsed.get(key)
    const content =
      known ?? ((isYaml ? (await import('yaml')).parse(text, { merge: true }) : JSON.parse(text)) as Json)
    if (parsed.size >= MAX_PARSED) parsed.clear()
    parsed.set(key, content)
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

// Files get URIs, so that `$ref`s can be resolved as the specification says. The base leaves room for `../`.
function toUri(name: string): string {
  return new URL(encodeURI(name).replace(/[?#:]/g, encodeURIComponent), 'suite:/0/0/0/0/0/0/0/0/').href
}

/** Follows `$ref`s on the way to a schema, such as those of path items and responses, which JSON Schema does not. */
async function findTarget(ref: string, readFile: ReadFile, tries = 20): Promise<string> {
  const [path = '', pointer = ''] = ref.split('#')
  if (!pointer.startsWith('/') || path === '' || isAbsolute(path)) return ref
  let part = await readSchema(path, readFile)
  for (const [index, key] of splitPointer(decodeURIComponent(pointer)).entries()) {
    const next = pickPart(part, key)
    const over = isJsonObject(part) ? part['$ref'] : undefined
    if (next === null && typeof over === 'string' && tries > 0) {
      const [file = '', inFile = ''] = over.split('#')
      const target = file === '' ? path : join(dirname(path), decodeURIComponent(file))
      const rest = pointer.split('/').slice(index + 1)
      return findTarget(`${target}#${[inFile, ...rest].join('/')}`, readFile, tries - 1)
    }
    part = next
  }
  return ref
}

function isAbsolute(path: string): boolean {
  return /^[a-z][a-z\d+.-]*:/i.test(path)
}

type Reading = {
  readFile: ReadFile
  /** The whole files by their URIs. */
  contents: Map<string, Json>
  /** What is needed of them. Other parts, such as parameters and examples, need not be schemas, and may be many. */
  files: Map<string, Json>
  seen: Set<Json>
}

/** Reads the files that the relative `$ref`s in a part of a file lead to, and so on for the parts that they name. */
async function followRefs(part: Json, name: string, reading: Reading): Promise<void> {
  const { readFile, contents, files, seen } = reading
  if (seen.has(part)) return
  seen.add(part)
  for (const ref of listRefs(part)) {
    const [path = '', pointer = ''] = ref.split('#')
    if (isAbsolute(path)) continue
    const target = path === '' ? name : join(dirname(name), decodeURIComponent(path))
    const uri = toUri(target)
    const content = contents.get(uri) ?? (await readSchema(target, readFile))
    if (path !== '' && !pointer.startsWith('/')) refuseDocument(target, content)
    contents.set(uri, content)
    // An anchor may be anywhere in the file.
    const keys = pointer.startsWith('/') ? splitPointer(decodeURIComponent(pointer)) : []
    files.set(uri, keepPart(files.get(uri), content, keys))
    await followRefs(keys.reduce(pickPart, content), target, reading)
  }
}

function pickPart(content: Json, key: string): Json {
  const isThere = typeof content === 'object' && content !== null && Object.hasOwn(content, key)
  return (isThere && (content as JsonObject)[key]) || null
}

/** Adds the part of a file at `keys` to what is kept of the file. Below an `$id`, everything is kept. */
function keepPart(kept: Json | undefined, content: Json, [key, ...keys]: readonly string[]): Json {
  if (key === undefined || kept === content || !isJsonObject(content) || '$id' in content) return content
  const draft: JsonObject = '$schema' in content ? { $schema: content['$schema'] } : {}
  const others = isJsonObject(kept) ? kept : draft
  if (!Object.hasOwn(content, key)) return others
  return { ...others, [key]: keepPart(others[key], content[key] as Json, keys) }
}

/** True for an OpenAPI document, which has schemas but is not one. */
function isOpenApi(content: Json): content is JsonObject {
  return isJsonObject(content) && ('openapi' in content || 'swagger' in content)
}

const OF_EXTENSION = /(?<=")x-[\w$:-]+(?=":)/g
const OF_FORMAT = /(?<="format":")[^"\\]+(?=")/g

/** Lists the extensions (`x-…`) in a file and, if the file itself is no schema, its keys: they restrict no values. */
function listWords(content: Json, isContainer: boolean): string[] {
  const extensions = findAll(content, OF_EXTENSION)
  return isContainer ? [...Object.keys(content as JsonObject), ...extensions] : extensions
}

function findAll(content: Json, pattern: RegExp): string[] {
  return stringifyJson(content).match(pattern) ?? []
}

/** Throws for an OpenAPI document, which as a schema would accept every value. */
function refuseDocument(name: string, content: Json): void {
  if (isOpenApi(content))
    throw new Error(
      `\`${name}\` is an OpenAPI document: name a schema of it, such as \`${name}#/components/schemas/Order\``,
    )
}

function listRefs(schema: Json): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  // References below an `$id` are relative to that.
  if (isJsonObject(schema) && typeof schema['$id'] === 'string') return []
  const own = isJsonObject(schema) && typeof schema['$ref'] === 'string' ? [schema['$ref']] : []
  return [...own, ...Object.values(schema).flatMap(listRefs)]
}
