import { isUtf8 } from 'node:buffer'
import { HttpProblem } from '../http-problem.ts'
import { addField, type Fields, parseFields } from './fields.ts'
import { parseParameters } from './parse-parameters.ts'

/** A body taken apart as httpbin does. */
export interface BodyContent {
  form: Fields
  /** File contents by field name; of files with the same name the first. */
  files: Map<string, string>
  /** The body as received; empty when it was taken apart into `form` and `files`. */
  data: Buffer
}

const NOTHING = Buffer.alloc(0)

/**
 * Takes a body apart by its content type: form-encoded, multipart, or neither.
 * @throws HttpProblem 413 when it has more than `maxParts` fields or parts
 */
export function parseBody(body: Buffer, contentType: string, maxParts: number): BodyContent {
  const content: BodyContent = { form: new Map(), files: new Map(), data: body }
  if (body.length === 0 || contentType === '') return content
  const { value, parameters } = parseParameters(contentType)
  const type = value.toLowerCase()
  if (type === 'application/x-www-form-urlencoded' || type === 'application/x-url-encoded')
    return { ...content, form: parseFields(body.toString('latin1'), maxParts), data: NOTHING }
  const boundary = type === 'multipart/form-data' ? parameters.get('boundary') : undefined
  return boundary ? parseMultipart(body, boundary, maxParts) : content
}

/** Bytes as text, or as a data URI (RFC 2397) of the given type when they are not UTF-8. */
export function showBytes(bytes: Buffer, type = 'application/octet-stream'): string {
  return isUtf8(bytes) ? bytes.toString('utf8') : `data:${type};base64,${bytes.toString('base64')}`
}

/**
 * Parses `multipart/form-data` (RFC 7578) with httpbin's quirks: a line may end in CRLF, LF or CR, and a body that is
 * broken in any way – no closing boundary, a part without `Content-Disposition` – gives no fields at all.
 */
function parseMultipart(body: Buffer, boundary: string, maxParts: number): BodyContent {
  const content: BodyContent = { form: new Map(), files: new Map(), data: NOTHING }
  const parts = splitParts(body.toString('latin1'), boundary, maxParts)
  if (parts?.every((part) => addPart(content, part))) return content
  return { form: new Map(), files: new Map(), data: NOTHING }
}

/** The text between the boundaries, or undefined when the closing one is missing. */
function splitParts(text: string, boundary: string, maxParts: number): string[] | undefined {
  if (/[^\x20-\x7e]/.test(boundary)) return undefined
  const escaped = boundary.replace(/[^A-Za-z0-9]/g, (sign) => `\\x${sign.charCodeAt(0).toString(16)}`)
  const delimiter = new RegExp(`(?:\\r\\n|\\n|\\r|^)--${escaped}(--|[^\\S\\r\\n]*(?:\\r\\n|\\n|\\r))`, 'g')
  const parts: string[] = []
  let start = -1
  for (const match of text.matchAll(delimiter)) {
    if (start >= 0) parts.push(text.slice(start, match.index))
    if (parts.length > maxParts) throw new HttpProblem(413, `the body has more than ${maxParts} parts`)
    if (match[1] === '--') return parts
    start = match.index + match[0].length
  }
  return undefined
}

/** Adds one part; false when it is broken. */
function addPart({ form, files }: BodyContent, part: string): boolean {
  const blank = /\r\n\r\n|\r\r|\n\n/.exec(part)
  const headers = blank && parsePartHeaders(part.slice(0, blank.index))
  const disposition = headers?.get('content-disposition')
  if (!blank || disposition === undefined) return false
  const { parameters } = parseParameters(disposition)
  const name = parameters.get('name') ?? ''
  const bytes = Buffer.from(part.slice(blank.index + blank[0].length), 'latin1')
  const type = headers?.get('content-type')
  if (!parameters.has('filename')) addField(form, name, decodeText(bytes, type))
  else if (!files.has(name)) files.set(name, showBytes(bytes, type))
  return true
}

function parsePartHeaders(head: string): Map<string, string> | undefined {
  const bytes = Buffer.from(head, 'latin1')
  if (!isUtf8(bytes)) return undefined
  const headers = new Map<string, string>()
  const unfolded = bytes.toString('utf8').replace(/(?:\r\n|\n|\r)[ \t]/g, ' ')
  for (const line of unfolded.split(/\r\n|\n|\r/)) {
    if (line.trim() === '') continue
    const colon = line.indexOf(':')
    if (colon < 0) return undefined
    const name = line.slice(0, colon).trim().toLowerCase()
    if (!headers.has(name)) headers.set(name, line.slice(colon + 1).trim())
  }
  return headers
}

function decodeText(bytes: Buffer, type = ''): string {
  const charset = parseParameters(type).parameters.get('charset')
  return bytes.toString(charset?.toLowerCase() === 'iso-8859-1' ? 'latin1' : 'utf8')
}
