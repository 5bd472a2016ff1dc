import { isUtf8 } from 'node:buffer'
import { maxDepth, maxDigits, parseJson, stringifyJson, type Json } from '../../json.ts'
import { indexLines, positionAt } from '../../source.ts'
import { isDeeper } from '../../safe-json.ts'
import { cut } from '../../text/show-value.ts'
import { escapeControl } from '../../escape-control.ts'
import { findHeader, type ReceivedResponse } from '../exchange.ts'
import { messageOf, tryTo } from '../../errors.ts'
import { TextDecoder } from 'node:util'

export const bodyKinds = ['json', 'text', 'xml', 'html', 'bytes'] as const

export type BodyKind = (typeof bodyKinds)[number]

/** The body of a response as checks and captures see it. */
export type DecodedBody = {
  text: string
  /** Present if the body is JSON: requested or declared so, or an object or array without a content type. */
  json?: Json
  /** Why a body that should be JSON is not, with line, column and an excerpt. */
  jsonError?: string
  /** The size of the compact JSON in UTF-8, or of the body if it is not JSON. */
  sizeBytes: number
  base64?: string
  warning?: string
}

/** Decodes the body of an answer to `method` as `kind`, or else as its content type says. Broken text or JSON does not throw. */
export function decodeResponse(response: ReceivedResponse, kind?: BodyKind, method = 'GET'): DecodedBody {
  const { headers, body, statusCode } = response
  const type = findHeader(headers, 'content-type')
  const charset = findCharset(body, type)
  const decoded = { ...decodeText(body, charset), sizeBytes: body.byteLength }
  if (kind === 'bytes') return { ...decoded, base64: Buffer.from(body).toString('base64') }
  const isAsked = kind === 'json'
  const isDeclared = isAsked || (kind === undefined && type !== undefined && jsonType.test(type))
  const mayBe = kind === undefined && type === undefined && /^\s*[[{]/.test(decoded.text)
  const isText = isDeclared || mayBe || (type !== undefined && markupType.test(type))
  if (isText && /^utf-?8$/i.test(charset ?? 'utf-8') && decoded.text.includes('\ufffd') && !isUtf8(body))
    decoded.warning = 'The body has bytes that are not UTF-8, which are read as `\ufffd`'
  // These have no content, whatever type they declare.
  const isEmpty = decoded.text === '' && (method === 'HEAD' || statusCode === 204 || statusCode === 304)
  if (isEmpty || !(isDeclared || mayBe)) return decoded
  const parsed = readJson(decoded.text)
  if ('jsonError' in parsed && !isDeclared) return decoded
  if (isDeclared && decoded.text.trim() === '')
    parsed.jsonError = `${isAsked ? '`body_as`' : 'The content type'} says JSON, but the body is empty`
  const { json } = parsed
  if (json !== undefined) decoded.sizeBytes = Buffer.byteLength(stringifyJson(json))
  return { ...decoded, ...parsed }
}

const jsonType = /^\s*(application\/json|text\/json|[^\s;]+\+json)\s*(;|$)/i
const markupType = /^\s*(text\/html|[^\s;]+[/+]xml)\s*(;|$)/i

function readJson(text: string): Pick<DecodedBody, 'json' | 'jsonError'> {
  try {
    const json = parseJson(text, maxDigits)
    // Deeper data stays text, so that other code can use recursion safely.
    if (text.length <= maxDepth || !isDeeper(json, maxDepth)) return { json }
    return {
      jsonError: `The body is nested deeper than ${maxDepth} levels; only its text can be checked`,
    }
  } catch (error) {
    return { jsonError: describeJsonError(text, error as Error) }
  }
}

function describeJsonError(text: string, error: Error): string {
  const offset = locateJsonError(text, error)
  if (offset === undefined) return `The body could not be read as JSON: ${error.message}`
  const [line, column] = positionAt(indexLines(text), offset)
  const start = Math.max(0, offset - 30)
  // Omits the end of a word that starts earlier: it may belong to a secret that only its start reveals.
  const isInText = text.slice(0, start).replaceAll(/\\./gs, '').split('"').length % 2 === 0
  const cutWord = isInText ? /^(?:[^"\\]|\\.)*/s : /^[^\s",:[\]{}]*/
  const before = text.slice(start, offset).replace(cutWord, (word) => (start === 0 ? word : '…'))
  const excerpt = escapeControl((before + cut(text.slice(offset), 20)).toWellFormed())
  const what =
    offset === text.length
      ? 'the body ends too early'
      : `unexpected \`${escapeControl(String.fromCodePoint(text.codePointAt(offset) ?? 0))}\``
  return `The body is not valid JSON: ${what} at line ${line}, column ${column}, near \`${excerpt}\``
}

/** In characters. Errors in longer texts are not searched for if V8 does not tell their place. */
const longestSearched = 5_000_000

/** Where a text stops being JSON. If V8 does not tell: the end of the shortest prefix with that error. */
function locateJsonError(text: string, { message }: Error): number | undefined {
  const told = / JSON at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(message)?.[1]
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

function decodeText(body: Uint8Array, charset?: string): Pick<DecodedBody, 'text' | 'warning'> {
  const decoder = createDecoder(charset)
  if (decoder !== undefined) return { text: decoder.decode(body) }
  const warning = `The charset \`${charset}\` of the response is unknown; its body was read as UTF-8`
  return { text: new TextDecoder().decode(body), warning }
}

export function createDecoder(charset = 'utf-8'): TextDecoder | undefined {
  return tryTo(() => new TextDecoder(charset))
}

/** Charsets declared in XML and HTML. UTF-16 is ignored: a document that can be read here is not UTF-16. */
const inDocument =
  /^\s*(?=<)(?:<\?xml[^>]*\sencoding|[^]*?<meta\s[^>]*charset)\s*=\s*["']?(?!utf-?16)([\w.:-]+)/i

/** A charset from the byte order mark, the content type or the document (Encoding, 6; HTML, 13.2.3). */
function findCharset(body: Uint8Array, contentType?: string): string | undefined {
  const start = Buffer.from(body.subarray(0, 1024)).toString('latin1')
  if (/^(?:\xff\xfe|\xfe\xff)/.test(start)) return start.startsWith('\xff') ? 'utf-16le' : 'utf-16be'
  if (start.startsWith('\xef\xbb\xbf')) return 'utf-8'
  return readCharset(contentType) ?? inDocument.exec(start)?.[1]
}

export function readCharset(contentType = ''): string | undefined {
  const match = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i.exec(contentType)
  return (match?.[1] ?? match?.[2])?.trim() || undefined
}
