import { createRequire } from 'node:module'
import type { Json, JsonObject } from '../../json.ts'
import { BuildProblem, createProblem, describeValue, readText } from '../build-problem.ts'
import type { BuiltBody } from './request-input.ts'

/** Encodes `multipart/form-data` (RFC 7578) as `fetch` does; `authoredType` may name another kind of multipart. */
export async function buildMultipart(
  fields: JsonObject,
  authoredType: string = 'multipart/form-data',
  readFile: (path: string) => Promise<Uint8Array>,
): Promise<BuiltBody> {
  if (!/^\s*multipart\//i.test(authoredType) || /;\s*boundary=/i.test(authoredType))
    throw new BuildProblem(
      'INVALID_HEADER',
      `Expected the content type of a \`multipart\` request to start with multipart/ and have no boundary, got ${describeValue(authoredType)}. ` +
        'Leave the header out',
    )
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item === null) continue
      if (typeof item !== 'object') {
        form.append(name, readText(item, `multipart.${name}`))
        continue
      }
      const { file, type, filename } = readFilePart(name, item)
      form.append(name, new File([Buffer.from(await readFile(file))], filename, { type }))
    }
  }
  const encoded = new Response(form)
  const boundary = /;.*/.exec(encoded.headers.get('content-type') ?? '')?.[0] ?? ''
  const bytes = new Uint8Array(await encoded.arrayBuffer())
  return { bytes, contentType: authoredType + boundary, replaceType: true }
}

/** Reads one `{file, type, filename}` of a `multipart`; throws a `BuildProblem`. */
export function readFilePart(name: string, value: Json): { file: string; type: string; filename: string } {
  const label = `multipart.${name}`
  const part = new Map(Object.entries(value as JsonObject))
  const unknown = [...part.keys()].find((key) => !['file', 'type', 'filename'].includes(key))
  if (Array.isArray(value) || unknown !== undefined || !part.has('file')) {
    throw new BuildProblem(
      'INVALID_REQUEST',
      `Expected \`${label}\` to be a text, a list, or an object of \`file\`, \`type\` and \`filename\`, ` +
        `got ${unknown === undefined || Array.isArray(value) ? describeValue(value) : `the key ${describeValue(unknown)}`}`,
    )
  }
  const file = readText(part.get('file'), `${label}.file`)
  if (file.trim() === '') throw createProblem(`${label}.file`, 'the name of a file', { got: file })
  const type = readText(part.get('type') ?? guessContentType(file), `${label}.type`)
  if (!/^[\t\u0020-\u007e]+$/.test(type))
    throw createProblem(`${label}.type`, 'a media type', { got: type, code: 'INVALID_HEADER' })
  const filename = readText(part.get('filename') ?? file.replace(/^.*[/\\]/s, ''), `${label}.filename`)
  return { file, type, filename }
}

/** Content type by file extension, `application/octet-stream` when it is not known. */
export function guessContentType(path: string): string {
  // Loaded when a file is sent: its table takes some milliseconds.
  const { lookup } = createRequire(import.meta.url)('mime-types') as typeof import('mime-types')
  const type = lookup(path) || 'application/octet-stream'
  return type.startsWith('text/') ? `${type}; charset=utf-8` : type
}
