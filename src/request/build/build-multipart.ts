import { createRequire } from 'node:module'
import type { Json, JsonObject } from '../../json.ts'
import { BuildProblem, createProblem, describeValue, readText } from '../build-problem.ts'
import type { BuiltBody } from './request-input.ts'

type ReadFile = (path: string) => Promise<Uint8Array>

/** Encodes `multipart/form-data` (RFC 7578); names are escaped as WHATWG forms do, so none can end its header or start another. */
export async function buildMultipart(
  fields: JsonObject,
  authoredType: string | undefined,
  readFile: ReadFile,
): Promise<BuiltBody> {
  const contentType = readMultipartType(authoredType)
  const boundary = readBoundary(contentType)
  const chunks: Uint8Array[] = []
  for (const [name, value] of Object.entries(fields)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== null) chunks.push(...(await encodePart(name, item, { boundary, readFile })))
    }
  }
  chunks.push(Buffer.from(`--${boundary}--\r\n`))
  return { bytes: Buffer.concat(chunks), contentType, replaceType: true }
}

function readMultipartType(authored: string | undefined): string {
  const boundary = `; boundary=----suitecase${crypto.randomUUID().replaceAll('-', '')}`
  if (authored === undefined) return `multipart/form-data${boundary}`
  if (!/^\s*multipart\//i.test(authored)) {
    throw new BuildProblem(
      'INVALID_HEADER',
      `Expected the content type of a \`multipart\` request to start with multipart/, got ${describeValue(authored)}. ` +
        'Leave the header out',
    )
  }
  return /;\s*boundary=/i.test(authored) ? authored : authored + boundary
}

function readBoundary(contentType: string): string {
  const match = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType)
  const boundary = match?.[1] ?? match?.[2] ?? ''
  if (boundary.length > 0 && boundary.length <= 70) return boundary
  throw new BuildProblem(
    'INVALID_HEADER',
    `Expected a boundary of 1 to 70 characters in ${describeValue(contentType)}. Leave it out to have one chosen`,
  )
}

async function encodePart(
  name: string,
  value: Exclude<Json, null>,
  { boundary, readFile }: { boundary: string; readFile: ReadFile },
): Promise<Uint8Array[]> {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(name)}"`
  if (typeof value !== 'object') {
    return [Buffer.from(`${head}\r\n\r\n${readText(value, `multipart.${name}`)}\r\n`)]
  }
  const { file, type, filename } = readFilePart(name, value)
  const lines = `${head}; filename="${escapeName(filename)}"\r\nContent-Type: ${type}\r\n\r\n`
  return [Buffer.from(lines), await readFile(file), Buffer.from('\r\n')]
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

/** https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data */
function escapeName(name: string): string {
  return name
    .toWellFormed()
    .replace(/[\r\n"]/g, (char) => (char === '"' ? '%22' : char === '\r' ? '%0D' : '%0A'))
}

/** Content type by file extension, `application/octet-stream` when it is not known. */
export function guessContentType(path: string): string {
  // Loaded when a file is sent: its table takes some milliseconds.
  const { lookup } = createRequire(import.meta.url)('mime-types') as typeof import('mime-types')
  const type = lookup(path) || 'application/octet-stream'
  return type.startsWith('text/') ? `${type}; charset=utf-8` : type
}
