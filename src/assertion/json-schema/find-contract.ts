import { isJsonObject, readOwn, stringifyJson, toText, type Json, type JsonObject } from '../../json.ts'
import { splitPointer, toPointer } from '../../path/field-path.ts'
import { rememberObjects } from '../../remember.ts'
import { listNames } from '../../text/show-value.ts'
import type { ResponseContext } from '../check-context.ts'
import type { CompiledSchema } from './compile-schema.ts'
import { quotePattern } from '../operators/pattern.ts'
import {
  compileOnce,
  isOpenApi,
  isRemote,
  readSchema,
  resolveName,
  type Contract,
  type ReadFile,
} from './load-schemas.ts'

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

/** Reads the files to which a document refers, as far as they can be read. */
export async function readReferred(
  name: string,
  readFile: ReadFile,
  known = new Set<string>(),
): Promise<void> {
  if (known.has(name)) return
  known.add(name)
  const content = await readSchema(name, readFile).catch(() => null)
  for (const [, path = ''] of stringifyJson(content).matchAll(/"\$ref":"([^"#]+)/g))
    if (!isRemote(path)) await readReferred(resolveName(name, path), readFile, known)
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
    const { produces = content['produces'] ?? ['*/*'] } = operation.node
    return await findBody(described.node, {
      name,
      produces: [produces].flat().map(toText),
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
  /** The content types of a Swagger document, which names them for whole operations. */
  produces: string[]
  about: string
  pointer: string[]
  response: ResponseContext
  documents: Documents
}

async function findBody(
  { content, schema }: JsonObject,
  { name, produces, about, pointer, response, documents }: BodyPlace,
): Promise<Contract> {
  const described =
    schema === undefined ? content : Object.fromEntries(produces.map((type) => [type, { schema }]))
  const types = isJsonObject(described) ? Object.keys(described) : []
  if (response.size_bytes === 0) {
    const isBodiless =
      types.length === 0 || response.request.method === 'HEAD' || response.status_code === 304
    return isBodiless ? { about } : { problem: `${about} has a body (${listNames(types)}), but none came` }
  }
  if (types.length === 0) return { problem: `${about} has no body, but one came` }
  const type = readMedia([response.headers['content-type'] ?? ''].flat().join())
  const media = findMedia(types, type)
  if (media === undefined)
    return {
      problem: `${about} has no content type \`${type.full || 'none'}\`; it has ${listNames(types)}`,
    }
  const { schema: own } = Object((described as JsonObject)[media]) as JsonObject
  if (own === undefined || !/[/+]json$/.test(type.bare)) return { about }
  const path = [...pointer, ...(schema === undefined ? ['content', media] : []), 'schema']
  const reference = `${encodeURI(name)}#${encodeURI(toPointer(path))}`
  const compiled = documents.schemas.get(reference) ?? compileOnce(reference, documents.readFile)
  documents.schemas.set(reference, compiled)
  return { about, schema: await compiled }
}

/** The templates of paths that match a path, the most concrete first: that whose placeholders take the least. The path may begin as a server's url does. */
function matchPaths(document: JsonObject, path: string): string[] {
  return compilePaths(document)
    .flatMap(({ template, pattern }) => {
      const found = pattern.exec(path)
      return found ? { template, size: found.slice(1).join('').length } : []
    })
    .toSorted((a, b) => a.size - b.size)
    .map(({ template }) => template)
}

const compilePaths = rememberObjects((document: JsonObject) => {
  const paths = isJsonObject(document['paths']) ? document['paths'] : {}
  const items = Object.values(paths).filter(isJsonObject)
  // Path items and operations may have servers of their own.
  const holders = [document, ...items, ...items.flatMap((item) => Object.values(item).filter(isJsonObject))]
  const urls = holders.flatMap(({ servers = [] }) =>
    [servers].flat().map((one) => toText(Object(one).url ?? '')),
  )
  const bases = ['', toText(document['basePath'] ?? ''), ...urls].map((url) => {
    // A url may be relative, and have variables.
    const base = url.replace(/^(?:[^/]*:)?\/\/[^/]*|^\{[^{}]*\}/, '').replace(/\/$/, '')
    return base === '' ? '' : toPattern(base, '.+')
  })
  const base = [...new Set(bases)].join('|')
  return Object.keys(paths)
    .filter((template) => template.startsWith('/'))
    .map((template) => ({ template, pattern: new RegExp(`^(?:${base})${toPattern(template, '([^/]+)')}$`) }))
})

/** The pattern of a path with placeholders, encoded as in requests. */
function toPattern(template: string, placeholder: string): string {
  const url = new URL('http://-')
  url.pathname = template.replaceAll(/\{[^{}]*\}/g, '{}')
  const texts = url.pathname.split('%7B%7D')
  return texts.map(quotePattern).join(placeholder)
}

/** The key of a status among responses: itself, its class such as `4XX`, or `default`. */
function findStatus(keys: readonly string[], status: number): string | undefined {
  const names = [String(status), `${Math.floor(status / 100)}XX`, 'DEFAULT']
  return names.flatMap((name) => keys.find((key) => key.toUpperCase() === name) ?? [])[0]
}

type Media = { full: string; bare: string }

/** A content type, and the same without its parameters. */
function readMedia(text: string): Media {
  const full = text.replaceAll(/\s/g, '').toLowerCase()
  return { full, bare: full.replace(/;.*/, '') }
}

/** The media range that describes a content type best: itself, without parameters, `text/*+json`, `text/*`, or the range of all. */
function findMedia(ranges: readonly string[], { full, bare }: Media): string | undefined {
  const all = ranges.map((range) => ({ range, ...readMedia(range) }))
  const names = [bare, bare.replace(/\/[^+]*/, '/*'), bare.replace(/\/.*/, '/*'), '*/*']
  const best = all.find((range) => range.full === full)
  return (best ?? names.flatMap((name) => all.find((range) => range.bare === name) ?? [])[0])?.range
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
  if (isRemote(path)) throw new Error(`can't resolve reference ${$ref}; nothing is fetched`)
  const name = path === '' ? part.name : resolveName(part.name, path)
  const content = path === '' ? part.content : await readSchema(name, readFile)
  let node: Json | undefined = content
  for (const key of splitPointer(decodeURIComponent(pointer)))
    node = isJsonObject(node) ? readOwn(node, key) : undefined
  if (!isJsonObject(node)) throw new Error(`can't resolve reference ${$ref} of ${part.name}`)
  return followRef({ node, name, content }, readFile, tries - 1)
}
