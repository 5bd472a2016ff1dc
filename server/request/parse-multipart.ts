import { isUtf8 } from 'node:buffer'
import { HttpProblem } from '../http-problem.ts'
import { type Fields, addField } from './fields.ts'
import { type ParameterisedValue, parseParameters } from './parse-parameters.ts'
import { showBytes } from './show-bytes.ts'

/** The fields and files of a multipart body. */
export interface MultipartContent {
  form: Fields
  files: Map<string, string>
}

/**
 * Parses `multipart/form-data` (RFC 7578). A line may end in CRLF, LF or CR. A body that is broken in any way – no closing
 * boundary, a part without `Content-Disposition` – gives no fields at all, as in httpbin.
 * @throws HttpProblem 413 when there are more than `maxParts` parts
 */
export function parseMultipart(body: Buffer, boundary: string, maxParts: number): MultipartContent {
  const content: MultipartContent = { form: new Map(), files: new Map() }
  const parts = splitParts(body.toString('latin1'), boundary, maxParts)
  if (!parts?.every((part) => addPart(content, part))) return { form: new Map(), files: new Map() }
  return content
}

/** The text between the boundaries, or undefined when the closing one is missing. */
function splitParts(text: string, boundary: string, maxParts: number): string[] | undefined {
  const escaped = boundary.replace(
    /[^A-Za-z0-9]/g,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
  if (/[^\x20-\x7e]/.test(boundary)) return undefined
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
function addPart({ form, files }: MultipartContent, part: string): boolean {
  const blank = /\r\n\r\n|\r\r|\n\n/.exec(part)
  const headers = blank && parsePartHeaders(part.slice(0, blank.index))
  const disposition = headers?.get('content-disposition')
  if (!blank || disposition === undefined) return false
  const { parameters }: ParameterisedValue = parseParameters(disposition)
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

function decodeText(bytes: Buffer, type: string | undefined): string {
  const charset = type === undefined ? undefined : parseParameters(type).parameters.get('charset')
  return bytes.toString(charset?.toLowerCase() === 'iso-8859-1' ? 'latin1' : 'utf8')
}
