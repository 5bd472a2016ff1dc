import { stringifyJson, type Json, type JsonObject } from '../../json.ts'
import { buildMultipart, guessContentType } from './build-multipart.ts'
import { BuildProblem, createProblem, describeValue, readText, requireFinite } from '../build-problem.ts'
import { readPart } from './body-files.ts'
import { listFields } from './build-url.ts'
import type { BuildContext, BuiltBody, GraphqlInput, RequestInput } from './request-input.ts'

const kinds = ['body', 'form', 'multipart', 'file', 'graphql'] as const
const formType = 'application/x-www-form-urlencoded'

/** Encodes the one body a request has; `authoredType` is the author's content type and decides between JSON and form. */
export async function buildBody(
  input: RequestInput,
  authoredType: string | undefined,
  context: BuildContext,
): Promise<BuiltBody | undefined> {
  const given = kinds.filter((kind) => input[kind] !== undefined)
  if (given.length > 1) {
    throw new BuildProblem(
      'INVALID_REQUEST',
      `Expected at most one of \`body\`, \`form\`, \`multipart\` and \`file\`, got \`${given.join('` and `')}\``,
    )
  }
  if (input.body !== undefined) return encodeBody(input.body, authoredType)
  if (input.form !== undefined) return encodeForm(input.form, 'form')
  if (input.multipart !== undefined) {
    return buildMultipart(requireObject(input.multipart, 'multipart'), authoredType, (path) =>
      readPart(path, context),
    )
  }
  if (input.graphql !== undefined) return encodeGraphql(input.graphql, context)
  if (input.file === undefined) return undefined
  const path = readText(input.file, 'file')
  return { bytes: await readPart(path, context), contentType: guessContentType(path) }
}

function encodeBody(body: Json, authoredType: string | undefined): BuiltBody {
  const type = authoredType?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (typeof body === 'string') return { bytes: Buffer.from(body), contentType: 'text/plain; charset=utf-8' }
  if (type === formType && typeof body === 'object') return encodeForm(body, 'body')
  if (type.startsWith('multipart/')) {
    throw new BuildProblem(
      'INVALID_REQUEST',
      `Expected a \`multipart\` for the content type ${describeValue(type)}, got a \`body\`. Rename \`body\` to \`multipart\``,
    )
  }
  return { bytes: encodeJson(body), contentType: 'application/json' }
}

/** The request of GraphQL over HTTP. */
async function encodeGraphql(graphql: GraphqlInput, context: BuildContext): Promise<BuiltBody> {
  const { query, query_file: file, variables, operation } = graphql
  const text = query ?? Buffer.from(await readPart(readText(file, 'query_file'), context)).toString()
  const body = {
    query: text,
    ...(variables && { variables }),
    ...(operation !== undefined && { operationName: operation }),
  }
  return { bytes: encodeJson(body), contentType: 'application/json' }
}

function encodeJson(body: Json): Uint8Array {
  try {
    const text = stringifyJson(body)
    if (text.includes('null')) requireNumbers(body, 'body')
    return Buffer.from(text)
  } catch (error) {
    if (error instanceof BuildProblem) throw error
    // The only ways plain data can fail: more levels than the stack has room for, or more text than a string holds.
    throw new BuildProblem(
      'BODY_TOO_DEEP',
      `Expected a \`body\` that can be written as JSON, got one nested too deeply or too large (${(error as Error).message})`,
    )
  }
}

/** `JSON.stringify` writes `null` for a number that is not finite. */
function requireNumbers(value: Json, label: string): void {
  if (typeof value === 'number') requireFinite(value, label)
  else if (typeof value === 'object' && value !== null)
    for (const [key, member] of Object.entries(value)) requireNumbers(member, `${label}.${key}`)
}

/** `application/x-www-form-urlencoded` as WHATWG URL serialises it: space is `+`. */
function encodeForm(form: Json, label: string): BuiltBody {
  const pairs = listFields(requireObject(form, label), label)
  return { bytes: Buffer.from(new URLSearchParams(pairs).toString()), contentType: formType }
}

function requireObject(value: Json, label: string): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw createProblem(label, 'an object of fields', { got: value })
}
