import { parseJson, stringifyJson, type Json } from '../../json.ts'
import { indexLines, positionAt } from '../../source.ts'
import { deepestKept, isDeeper } from '../../safe-json.ts'
import { escapeControl } from '../../escape-control.ts'
import { findHeader, type ReceivedResponse, type ResponseHead } from '../exchange.ts'
import { messageOf } from '../../errors.ts'
import { isUtf8 } from 'node:buffer'
import { TextDecoder } from 'node:util'

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
  const decoded = decodeText(response, kind)
  const { text } = decoded
  const parsed: Pick<DecodedBody, 'json' | 'jsonError' | 'isJson'> =
    kind === undefined || kind === 'json' ? readJson(text, response, kind) : { isJson: false }
  const { json } = parsed
  return {
    ...decoded,
    ...parsed,
    sizeBytes: json === undefined ? response.body.byteLength : Buffer.byteLength(stringifyJson(json)),
    ...(kind === 'bytes' && { base64: Buffer.from(response.body).toString('base64') }),
  }
}

/** `application/json`, `text/json` and everything that ends in `+json` (RFC 6839). */
export function isJsonType(contentType: string): boolean {
  return /^\s*(application\/json|text\/json|[^\s;]+\+json)\s*(;|$)/i.test(contentType)
}

function readJson(
  text: string,
  { headers, statusCode, body }: ReceivedResponse,
  kind: 'json' | undefined,
): Pick<DecodedBody, 'json' | 'jsonError' | 'isJson'> {
  const contentType = findHeader(headers, 'content-type')
  const declared = kind === 'json' || (contentType !== undefined && isJsonType(contentType))
  if (!declared && (contentType !== undefined || !/^\s*[[{]/.test(text))) return { isJson: false }
  // No content is what these statuses promise, whatever type they name.
  if (text === '' && (statusCode === 204 || statusCode === 304)) return { isJson: false }
  try {
    const json = parseJson(text)
    if (declared && text.includes('\ufffd') && !isUtf8(body)) {
      const charset = readCharset({ headers }) ?? 'UTF-8, and no charset is declared'
      return {
        jsonError: `The body is not valid JSON: it has bytes that are not text in ${charset}`,
        isJson: true,
      }
    }
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
  const offset = locateJsonError(text, error)
  if (offset === undefined) return `The body could not be read as JSON: ${error.message}`
  const [line, column] = positionAt(indexLines(text), offset)
  const excerpt = escapeControl(text.slice(Math.max(0, offset - 30), offset + 20).toWellFormed())
  const what =
    offset === text.length
      ? 'the body ends too early'
      : `unexpected \`${escapeControl(String.fromCodePoint(text.codePointAt(offset) ?? 0))}\``
  return `The body is not valid JSON: ${what} at line ${line}, column ${column}, near \`${excerpt}\``
}

/** In longer texts the place of an error that V8 does not tell is not looked for. */
const longestSearched = 5_000_000

/** Where a text stops being JSON. V8 tells, but for a wrong token: its first character is the last one of the shortest beginning with that error. */
function locateJsonError(text: string, { message }: Error): number | undefined {
  const told = / at position (\d+)/.exec(message)?.[1]
  if (told !== undefined) return Number(told)
  if (message.startsWith('Unexpected end')) return text.length
  const hasToken = (end: number): boolean =>
    messageOf(() => JSON.parse(text.slice(0, end)))?.endsWith(' is not valid JSON') === true
  if (text.length > longestSearched || !hasToken(text.length)) return undefined
  let [low, high] = [0, text.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (hasToken(middle)) high = middle
    else low = middle
  }
  return low
}

/** Reads bytes in the charset their head declares, or the XML or HTML itself (RFC 7303, 3.2), UTF-8 without one; a byte order mark is dropped, invalid bytes become U+FFFD. */
function decodeText(
  { body, headers }: ReceivedResponse,
  kind: BodyKind | undefined,
): Pick<DecodedBody, 'text' | 'warning'> {
  const type = kind ?? findHeader(headers, 'content-type') ?? ''
  const declared = readCharset({ headers }) ?? readInner(body, type)
  const charset = sniffMark(body, declared) ?? declared ?? 'utf-8'
  const decoder = createDecoder(charset)
  if (decoder !== undefined) return { text: decoder.decode(body) }
  return {
    text: new TextDecoder().decode(body),
    warning: `The charset \`${charset}\` of the response is unknown; its body was read as UTF-8`,
  }
}

/** The charset that a head declares. */
export function readCharset({ headers }: Pick<ResponseHead, 'headers'>): string | undefined {
  const contentType = findHeader(headers, 'content-type') ?? ''
  const match = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i.exec(contentType)
  return (match?.[1] ?? match?.[2])?.trim() || undefined
}

/** The charset that XML names in its first line, and HTML in a `meta` at its beginning. */
function readInner(body: Uint8Array, type: string): string | undefined {
  if (!/xml|html/i.test(type)) return undefined
  const start = Buffer.from(body.subarray(0, 1024)).toString('latin1')
  const named =
    /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)|<meta[^>]*?\scharset\s*=\s*["']?([\w.:-]+)|<meta[^>]*?;\s*charset=([\w.:-]+)/i.exec(
      start,
    )
  const charset = named?.slice(1).find((name) => name !== undefined)
  // What could be read as Latin letters is not UTF-16.
  return charset === undefined || /^utf-?16/i.test(charset) ? undefined : charset
}

/** The mark of UTF-8 tells it whatever is declared; those of UTF-16 count where nothing or just UTF-16 is, as other text may start with their bytes. */
function sniffMark([first, second, third]: Uint8Array, declared: string | undefined): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (declared !== undefined && !/^utf-16$/i.test(declared)) return undefined
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return undefined
}

/** Undefined for a charset that is not known. */
export function createDecoder(charset: string): TextDecoder | undefined {
  try {
    return new TextDecoder(charset)
  } catch {
    return undefined
  }
}
