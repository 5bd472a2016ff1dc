import { dirname, join } from 'node:path/posix'
import { isJsonObject, readOwn, toText, type Json, type JsonObject } from '../../json.ts'
import { splitPointer } from '../../path/field-path.ts'
import { rememberObjects } from '../../remember.ts'
import { listNames } from '../../text/show-value.ts'
import type { ResponseContext } from '../check-context.ts'
import type { CompiledSchema } from './compile-schema.ts'
import { compileOnce, isOpenApi, readSchema, type Contract, type ReadFile } from './load-schemas.ts'

/** The files of a run, and the schemas compiled for it, by reference. */
export type Documents = { readFile: ReadFile; schemas: Map<string, Promise<CompiledSchema>> }

/** A map in a document, with the document and its file name, to which references are relative. */
type Part = { node: JsonObject; name: string; content: Json }

/** Reads an OpenAPI document. Rejects if it cannot be read, or is another document. */
export async function readOpenApi(name: string, readFile: ReadFile): Promise<JsonObject> {
  const content = await readSchema(name, readFile)
  if (isOpenApi(content)) return content
  throw new Error(`\`${name}\` is not an OpenAPI document: it has neither \`openapi\` nor \`swagger\``)
}

/**
 * Finds what an OpenAPI document (3.0, 3.1 or Swagger 2) says of a response: by the path and method of its request, its status, and
 * its content type. Resolves to a problem if the document does not know one of these.
 */
export async function findContract(
  name: string,
  response: ResponseContext,
  documents: Documents,
): Promise<Contract> {
  const { readFile } = documents
  try {
    const content = await readOpenApi(name, readFile)
    const follow = (node: Json | undefined, from: Omit<Part, 'node'>): Promise<Part> =>
      followRef({ ...from, node: isJsonObject(node) ? node : {} }, readFile)
    const whole = { name, content }
    const { method, url } = response.request
    const templates = matchPaths(content, new URL(url).pathname)
    if (templates.length === 0)
      return { problem: `\`${new URL(url).pathname}\` is not a path of \`${name}\`` }
    const items = await Promise.all(
      templates.map((template) => follow(readOwn(content['paths'] as JsonObject, template), whole)),
    )
    const key = method.toLowerCase()
    const at = Math.max(
      0,
      items.findIndex(({ node }) => Object.hasOwn(node, key)),
    )
    const [template, item] = [templates[at], items[at]] as [string, Part]
    const about = `\`${method} ${template}\` of \`${name}\``
    if (!Object.hasOwn(item.node, key))
      return {
        problem: `\`${name}\` has no \`${method}\` of \`${template}\`; it has ${listMethods(item.node)}`,
      }
    const operation = await follow(item.node[key], item)
    const responses = await follow(operation.node['responses'], operation)
    const status = findStatus(Object.keys(responses.node), response.status_code)
    if (status === undefined)
      return {
        problem: `${about} has no response ${response.status_code}; it has ${listNames(Object.keys(responses.node))}`,
      }
    const described = await follow(responses.node[status], responses)
    const pointer = ['paths', template, key, 'responses', status]
    return await findBody(described.node, {
      name,
      about: `${about}, response ${status}`,
      pointer,
      response,
      documents,
    })
  } catch (error) {
    return { problem: (error as Error).message }
  }
}

type BodyPlace = {
  name: string
  about: string
  pointer: string[]
  response: ResponseContext
  documents: Documents
}

async function findBody(
  { content, schema }: JsonObject,
  { name, about, pointer, response, documents }: BodyPlace,
): Promise<Contract> {
  const compile = async (...below: string[]): Promise<Contract> => {
    const path = [...pointer, ...below].map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1'))
    const reference = `${name}#/${encodeURI(path.join('/'))}`
    const schema = documents.schemas.get(reference) ?? compileOnce(reference, documents.readFile)
    documents.schemas.set(reference, schema)
    return { about, schema: await schema }
  }
  const isEmpty = response.size_bytes === 0
  // A Swagger document names content types for whole operations.
  if (isJsonObject(schema))
    return isEmpty ? { problem: `${about} has a body, but none came` } : compile('schema')
  const types = isJsonObject(content) ? Object.keys(content) : []
  if (isEmpty) {
    const isBodiless =
      types.length === 0 || response.request.method === 'HEAD' || response.status_code === 304
    return isBodiless ? { about } : { problem: `${about} has a body (${listNames(types)}), but none came` }
  }
  if (types.length === 0) return { problem: `${about} has no body, but one came` }
  const type = [response.headers['content-type'] ?? ''].flat().join().replace(/;.*/s, '').trim().toLowerCase()
  const media = findMedia(types, type)
  if (media === undefined)
    return { problem: `${about} has no content type \`${type}\`; it has ${listNames(types)}` }
  const { schema: own } = Object((content as JsonObject)[media]) as JsonObject
  return own !== undefined && /[/+]json$/.test(type) ? compile('content', media, 'schema') : { about }
}

/** The templates of paths that match a path, the most concrete first. The path may begin as a server's url does. */
function matchPaths(document: JsonObject, path: string): string[] {
  const { bases, templates } = compilePaths(document)
  const tails = bases.flatMap((base) =>
    path === base || path.startsWith(`${base}/`) ? [path.slice(base.length)] : [],
  )
  return templates
    .filter(({ pattern }) => tails.some((tail) => pattern.test(tail)))
    .map(({ template }) => template)
}

const compilePaths = rememberObjects(({ paths, servers, basePath }: JsonObject) => {
  const urls = Array.isArray(servers)
    ? servers.map((server) => String(Object(server).url))
    : [toText(basePath ?? '')]
  // A url may be relative, and have variables.
  const bases = urls.map((url) => URL.parse(url.replaceAll(/\{.*?\}/g, '-'), 'http://-')?.pathname ?? '')
  const templates = Object.keys(isJsonObject(paths) ? paths : {})
    .filter((template) => template.startsWith('/'))
    .toSorted((a, b) => a.split('{').length - b.split('{').length)
  return {
    bases: new Set([...bases.map((base) => base.replace(/\/$/, '')), '']).values().toArray(),
    templates: templates.map((template) => {
      const texts = template.split(/\{[^{}]*\}/)
      const plain = texts.map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
      return { template, pattern: new RegExp(`^${plain.join('[^/]+')}$`) }
    }),
  }
})

/** The key of a status among responses: itself, its class such as `4XX`, or `default`. */
function findStatus(keys: readonly string[], status: number): string | undefined {
  const names = [String(status), `${Math.floor(status / 100)}XX`, 'DEFAULT']
  return names.flatMap((name) => keys.find((key) => key.toUpperCase() === name) ?? [])[0]
}

/** The media range that describes a content type best: itself, `text/*`, or the range of all. */
function findMedia(ranges: readonly string[], type: string): string | undefined {
  const names = [type, type.replace(/\/.*/, '/*'), '*/*']
  return names.flatMap(
    (name) => ranges.find((range) => range.replace(/;.*/s, '').trim().toLowerCase() === name) ?? [],
  )[0]
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']

function listMethods(item: JsonObject): string {
  const methods = METHODS.filter((method) => Object.hasOwn(item, method))
  return methods.length === 0 ? 'no operation' : listNames(methods.map((method) => method.toUpperCase()))
}

/** Follows the `$ref` of a part, also into other files, until there is none. */
async function followRef(part: Part, readFile: ReadFile, tries = 20): Promise<Part> {
  const { $ref } = part.node
  if (typeof $ref !== 'string' || tries === 0) return part
  const [path = '', pointer = ''] = $ref.split('#')
  const name = path === '' ? part.name : join(dirname(part.name), decodeURIComponent(path))
  const content = path === '' ? part.content : await readSchema(name, readFile)
  let node: Json | undefined = content
  for (const key of splitPointer(decodeURIComponent(pointer)))
    node = isJsonObject(node) ? readOwn(node, key) : undefined
  if (!isJsonObject(node)) throw new Error(`can't resolve reference ${$ref} of ${part.name}`)
  return followRef({ node, name, content }, readFile, tries - 1)
}
