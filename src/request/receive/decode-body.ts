import { parseJson, stringifyJson, type Json } from '../../json.ts'
import { indexLines, positionAt } from '../../source.ts'
import { deepestKept, isDeeper } from '../../safe-json.ts'
import { escapeControl } from '../../escape-control.ts'
import { decodeText } from './decode-text.ts'
import { findHeader, type ReceivedResponse } from '../exchange.ts'
import { locateJsonError } from './locate-json-error.ts'

/** What a body can be read as. */
export const bodyKinds = ['json', 'text', 'xml', 'html', 'bytes'] as const

/** One of `bodyKinds`. */
export type BodyKind = (typeof bodyKinds)[number]

/** A response body as assertions and captures see it. */
export type DecodedBody = {
  text: string
  /** Present when the body is JSON. */
  json?: Json
  /** Why a body that should be JSON is not: line, column and an excerpt. */
  jsonError?: string
  /** True when the content type says JSON, or when there is no content type and the body is a JSON object or array. */
  isJson: boolean
  /** UTF-8 bytes of the JSON written compactly, else the bytes of the body. */
  sizeBytes: number
  /** The body as base64, where it is read as bytes. */
  base64?: string
  /** Present when the charset is unknown. */
  warning?: string
}

/** Reads the body of a response, as `kind` or as its content type says; broken text or JSON is data, not an error. */
export function decodeResponse(response: ReceivedResponse, kind?: BodyKind): DecodedBody {
  const { text, warning } = decodeText(response.body, response.headers)
  const parsed: Pick<DecodedBody, 'json' | 'jsonError' | 'isJson'> =
    kind === undefined || kind === 'json' ? readJson(text, response, kind) : { isJson: false }
  const { json } = parsed
  const decoded: DecodedBody = {
    text,
    ...parsed,
    sizeBytes: json === undefined ? response.body.byteLength : Buffer.byteLength(stringifyJson(json)),
  }
  if (warning !== undefined) decoded.warning = warning
  if (kind === 'bytes') decoded.base64 = Buffer.from(response.body).toString('base64')
  return decoded
}

/** `application/json`, `text/json` and everything that ends in `+json` (RFC 6839). */
export function isJsonType(contentType: string): boolean {
  return /^\s*(application\/json|text\/json|[^\s;]+\+json)\s*(;|$)/i.test(contentType)
}

function readJson(
  text: string,
  { headers, statusCode }: ReceivedResponse,
  kind: 'json' | undefined,
): Pick<DecodedBody, 'json' | 'jsonError' | 'isJson'> {
  const contentType = findHeader(headers, 'content-type')
  const declared = kind === 'json' || (contentType !== undefined && isJsonType(contentType))
  if (!declared && (contentType !== undefined || !/^\s*[[{]/.test(text))) return { isJson: false }
  // No content is what these statuses promise, whatever type they name.
  if (text === '' && (statusCode === 204 || statusCode === 304)) return { isJson: false }
  try {
    const json = parseJson(text)
    // What is nested deeper stays text, so that whatever walks through values can be plain recursion.
    if (text.length <= deepestKept || !isDeeper(json, deepestKept)) return { json, isJson: true }
    const jsonError = `The body is nested deeper than ${deepestKept} levels; only its text can be looked at`
    return { jsonError, isJson: true }
  } catch (error) {
    if (!declared) return { isJson: false }
    const asked = kind === undefined ? 'The content type' : '`body_as`'
    if (text.trim() === '') return { jsonError: `${asked} says JSON, but the body is empty`, isJson: true }
    return { jsonError: describeJsonError(text, error as Error), isJson: true }
  }
}

function describeJsonError(text: string, error: Error): string {
  const offset = locateJsonError(text)
  if (offset === undefined) return `The body could not be read as JSON: ${error.message}`
  const [line, column] = positionAt(indexLines(text), offset)
  const excerpt = escapeControl(text.slice(Math.max(0, offset - 30), offset + 20).toWellFormed())
  const what =
    offset === text.length
      ? 'the body ends too early'
      : `unexpected \`${escapeControl(String.fromCodePoint(text.codePointAt(offset) ?? 0))}\``
  return `The body is not valid JSON: ${what} at line ${line}, column ${column}, near \`${excerpt}\``
}
