import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { isJsonObject, stringifyJson, type Json, type JsonObject } from '../../json.ts'
import { linesType } from '../receive/event-reader.ts'
import { RequestProblem, createProblem, describeValue, readText, requireFinite } from '../request-problem.ts'
import { readPart } from './body-files.ts'
import { listPairs } from './build-url.ts'
import type { BuildContext, BuiltBody, GraphqlInput, RequestInput } from './request-input.ts'

const kinds = ['body', 'form', 'multipart', 'file', 'graphql'] as const
const formType = 'application/x-www-form-urlencoded'

/** Encodes a body. `authoredType`: the type in the author's headers, which decides between JSON and form. */
export function buildBody(
  input: RequestInput,
  authoredType: string | undefined,
  context: BuildContext,
): BuiltBody | Promise<BuiltBody> | undefined {
  const given = kinds.filter((kind) => input[kind] !== undefined)
  if (given.length > 1)
    throw new RequestProblem(
      `Expected at most one of \`body\`, \`form\`, \`multipart\`, \`file\` and \`graphql\`, got \`${given.join('` and `')}\``,
    )
  const { body, form, multipart, graphql, file } = input
  if (body !== undefined) return encodeBody(body, authoredType)
  if (form !== undefined) return encodeForm(form, 'form')
  if (multipart !== undefined)
    return encodeMultipart(requireObject(multipart, 'multipart'), authoredType, context)
  if (graphql !== undefined) return encodeGraphql(graphql, context)
  if (file === undefined) return undefined
  const path = readText(file, 'file')
  return readPart(path, context).then((bytes) => ({ bytes, contentType: guessContentType(path) }))
}

function encodeBody(body: Json, authoredType: string | undefined): BuiltBody {
  const type = authoredType?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (typeof body === 'string') return { bytes: Buffer.from(body), contentType: 'text/plain; charset=utf-8' }
  if (type === formType && typeof body === 'object') return encodeForm(body, 'body')
  if (type.startsWith('multipart/'))
    throw new RequestProblem(
      `Expected a \`multipart\` for the content type ${describeValue(type)}, got a \`body\`. Rename \`body\` to \`multipart\``,
    )
  const isLines = Array.isArray(body) && linesType.test(type)
  const bytes = isLines
    ? Buffer.concat(body.flatMap((line) => [encodeJson(line), Buffer.from('\n')]))
    : encodeJson(body)
  return { bytes, contentType: 'application/json' }
}

async function encodeGraphql(graphql: GraphqlInput, context: BuildContext): Promise<BuiltBody> {
  const { query: written, query_file: file, variables, operation: operationName } = graphql
  const query =
    file === undefined
      ? readText(written, 'graphql.query')
      : Buffer.from(await readPart(readText(file, 'graphql.query_file'), context)).toString()
  const body = { query, variables, operationName } as JsonObject
  return { bytes: encodeJson(body, 'graphql'), contentType: 'application/json' }
}

/** Nothing in a request is so deep or so large that it could not be written: what fills it in has limits. */
function encodeJson(body: Json, label: string = 'body'): Uint8Array {
  const text = stringifyJson(body)
  if (text.includes('null')) requireNumbers(body, label)
  return Buffer.from(text)
}

/** Throws a RequestProblem for a number that is not finite: `JSON.stringify` would write `null`. */
function requireNumbers(value: Json, label: string): void {
  if (typeof value === 'number') requireFinite(value, label)
  else if (typeof value === 'object' && value !== null)
    for (const [key, member] of Object.entries(value)) requireNumbers(member, `${label}.${key}`)
}

function encodeForm(form: Json, label: string): BuiltBody {
  const pairs = listPairs(requireObject(form, label), label)
  return { bytes: Buffer.from(new URLSearchParams(pairs).toString()), contentType: formType }
}

/** Returns the value if it is an object. Throws a RequestProblem for anything else. */
export function requireObject(value: unknown, label: string): JsonObject {
  if (isJsonObject(value)) return value
  throw createProblem(label, 'an object of fields', value as Json)
}

/** Encodes `multipart/form-data` (RFC 7578), with the same bytes as `fetch`. `authoredType` may name another multipart. */
async function encodeMultipart(
  fields: JsonObject,
  authoredType: string = 'multipart/form-data',
  context: BuildContext,
): Promise<BuiltBody> {
  if (!/^\s*multipart\//i.test(authoredType) || /;\s*boundary=/i.test(authoredType))
    throw new RequestProblem(
      `Expected the content type of a \`multipart\` request to start with multipart/ and have no boundary, got ${describeValue(authoredType)}. ` +
        'Leave out the header',
    )
  const boundary = `form-${randomUUID()}`
  const chunks: (Uint8Array | string)[] = []
  // JavaScript puts names such as `0` first, but GraphQL uploads need files after the fields that map them.
  const index = /^\d+$/
  const entries = Object.entries(fields).toSorted(([a], [b]) => Number(index.test(a)) - Number(index.test(b)))
  for (const [name, value] of entries)
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item === null) continue
      chunks.push(`--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(name)}"`)
      if (typeof item === 'object') {
        const part = readTypedPart(name, item)
        if (part.filename !== undefined) chunks.push(`; filename="${escapeName(part.filename)}"`)
        const content = 'file' in part ? await readPart(part.file, context) : part.content
        chunks.push(`\r\nContent-Type: ${part.type}\r\n\r\n`, content)
      } else chunks.push('\r\n\r\n', readText(item, `multipart.${name}`).replaceAll(/\r\n?|\n/g, '\r\n'))
      chunks.push('\r\n')
    }
  chunks.push(`--${boundary}--\r\n`)
  const bytes = Buffer.concat(chunks.map((chunk) => Buffer.from(chunk)))
  return { bytes, contentType: `${authoredType}; boundary=${boundary}` }
}

function escapeName(name: string): string {
  return name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22')
}

type TypedPart = { file: string } | { content: Uint8Array | string }

/** Reads `{file, type, filename}` or `{value, type, filename}` in a `multipart`. Throws a RequestProblem. */
export function readTypedPart(name: string, part: Json): TypedPart & { type: string; filename?: string } {
  const label = `multipart.${name}`
  const given = isJsonObject(part) ? part : {}
  const unknown = Object.keys(given).find((key) => !['file', 'value', 'type', 'filename'].includes(key))
  const { file: path, value = null } = given
  if (unknown !== undefined || (path === undefined) === (value === null)) {
    const got = unknown === undefined ? describeValue(part) : `the key ${describeValue(unknown)}`
    throw new RequestProblem(
      `Expected \`${label}\` to be a string, a list, or a map with \`file\` or (for JSON) \`value\`, \`type\` and \`filename\`, got ${got}`,
    )
  }
  // Browsers use the file name `blob` for a part that has a type but no file.
  const file = path === undefined ? 'blob' : readText(path, `${label}.file`)
  if (file.trim() === '') throw createProblem(`${label}.file`, 'the name of a file', file)
  const isData = typeof value === 'object'
  const ofValue = isData ? 'application/json' : 'text/plain; charset=utf-8'
  const type = readText(
    given['type'] ?? (path === undefined ? ofValue : guessContentType(file)),
    `${label}.type`,
  )
  if (!/^[\u0020-\u007e]+$/.test(type)) throw createProblem(`${label}.type`, 'a media type', type)
  const { filename: written = file.replace(/^.*[/\\]/s, '') } = given
  const naming = written === null ? {} : { filename: readText(written, `${label}.filename`) }
  if (path !== undefined) return { file, type, ...naming }
  const content = isData ? encodeJson(value, `${label}.value`) : readText(value, `${label}.value`)
  return { content, type, ...naming }
}

/** Content type by file extension, `application/octet-stream` if unknown. */
export function guessContentType(path: string): string {
  // Loaded only when a file is sent: its table takes a few milliseconds.
  const { lookup } = createRequire(import.meta.url)('mime-types') as typeof import('mime-types')
  const type = lookup(path) || 'application/octet-stream'
  return type.startsWith('text/') ? `${type}; charset=utf-8` : type
}
