import { type Fields, parseFields } from './fields.ts'
import { parseMultipart } from './parse-multipart.ts'
import { parseParameters } from './parse-parameters.ts'

/** A body taken apart as httpbin does. */
export interface Content {
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
export function parseContent(body: Buffer, contentType: string, maxParts: number): Content {
  if (body.length === 0 || contentType === '') return { form: new Map(), files: new Map(), data: body }
  const { value, parameters } = parseParameters(contentType)
  const type = value.toLowerCase()
  if (type === 'application/x-www-form-urlencoded' || type === 'application/x-url-encoded') {
    return { form: parseFields(body.toString('latin1'), maxParts), files: new Map(), data: NOTHING }
  }
  const boundary = type === 'multipart/form-data' ? parameters.get('boundary') : undefined
  if (!boundary) return { form: new Map(), files: new Map(), data: body }
  return { ...parseMultipart(body, boundary, maxParts), data: NOTHING }
}
