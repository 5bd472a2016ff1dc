import { parseJson, type Json, type JsonObject } from '../json.ts'
import { renderCurl, renderRawRequest, renderRawResponse } from '../request/render/render-request.ts'
import type { Attempt, RequestDetails, ResponseDetails, StepResult } from '../run/result.ts'
import { formatBytes } from '../text/units.ts'
import { cutText, defaultKeptBytes } from '../safe-json.ts'
import {
  findHeader,
  groupHeaders,
  joinHeaders,
  type ConnectionNote,
  type HeaderLines,
} from '../request/exchange.ts'

/** Bytes of a body that an earlier attempt keeps. */
export const longestAttempt = 4096

/** Headers and body on their way to the reporter, redacted. */
export type PackedContent = {
  lines: HeaderLines
  /** Bytes of the whole body. */
  bytes: number
  /** The body as text, cut a little behind what reports keep; absent when there is none. */
  text?: string
  /** The text is only the start of the body. */
  isCut?: true
  /** A body that is not text, cut. */
  base64?: string
  /** The text is JSON, to be shown as such. */
  isJson?: true
  /** What is shown of a body that cannot be read from its text any more: it was cut, or holds secrets. */
  shown?: Json
}

/** As it is put together: no field can be forgotten, and what is undefined is not in the JSON that travels. */
type Packed<Part> = {
  [Key in keyof Part]-?: object extends Pick<Part, Key> ? Part[Key] | undefined : Part[Key]
}

/** The request of a step on its way to the reporter. */
export type PackedRequest = Omit<RequestDetails, 'headers' | 'body' | 'curl_command' | 'raw_request'> & {
  content: PackedContent
  file?: string | undefined
}

/** The response of a step on its way to the reporter. */
export type PackedResponse = Omit<ResponseDetails, 'headers' | 'body' | 'raw_response'> & {
  content: PackedContent
  statusText: string
  httpVersion: string
}

type PackedExchange = {
  request_details?: PackedRequest | undefined
  response_details?: PackedResponse | undefined
}

/** An attempt on its way to the reporter. */
export type PackedAttempt = Packed<Omit<Attempt, keyof PackedExchange>> & PackedExchange

/** What changed in the variables a step sees since the step before. */
export type VisibleChange = { set?: JsonObject; gone?: string[] }

/** The result of a step as it travels from the worker to the reporter, in the order of result files: nothing in it twice, nothing that can be derived. */
export type PackedStep = Packed<Omit<StepResult, keyof PackedExchange | 'available_variables' | 'attempts'>> &
  PackedExchange & { available_variables: VisibleChange; attempts?: PackedAttempt[] | undefined }

/** Makes the results of a suite's steps, in their order, of what its worker sent: bodies read, variables added up, curl lines and raw texts derived. */
export function unpackSteps(
  packed: readonly PackedStep[],
  maxBytes: number = defaultKeptBytes,
): StepResult[] {
  let seen: JsonObject = {}
  return packed.map(({ attempts, ...step }) => {
    const { set, gone = [] } = step.available_variables
    // No name is both set and gone.
    seen = { ...seen, ...set }
    for (const name of gone) delete seen[name]
    const keep = { maxBytes, connection: step.connection }
    const short = { ...keep, maxBytes: Math.min(maxBytes, longestAttempt) }
    return {
      ...(unpackExchange(step, keep) as StepResult),
      available_variables: seen,
      ...(attempts && { attempts: attempts.map((each) => unpackExchange(each, short) as Attempt) }),
    }
  })
}

type Keep = { maxBytes: number; connection: ConnectionNote | undefined }

/** The same with request and response as result files show them. */
function unpackExchange(packed: PackedExchange, keep: Keep): object {
  const { request_details: request, response_details: response } = packed
  return {
    ...packed,
    ...(request && { request_details: unpackRequest(request, keep) }),
    ...(response && { response_details: unpackResponse(response, keep) }),
  }
}

function unpackRequest(
  { content, file, ...packed }: PackedRequest,
  { maxBytes, connection }: Keep,
): RequestDetails {
  const { method, url, full_url, raw_url, ...rest } = packed
  const body = readBytes(content)
  const sent = { method, url: full_url, headers: content.lines, body }
  const isWhole = !content.isCut && (content.base64 === undefined || body?.byteLength === content.bytes)
  const options = { keep: maxBytes, connection, file, bytes: isWhole ? undefined : content.bytes }
  return {
    method: cut(method, maxBytes),
    url: cut(url, maxBytes),
    headers: joinHeaders(content.lines),
    ...(body && { body: showBody(content, maxBytes) }),
    ...rest,
    full_url: cut(full_url, maxBytes),
    // curl speaks no WebSocket.
    ...(!full_url.startsWith('ws') && { curl_command: renderCurl(sent, options) }),
    raw_request: renderRawRequest(sent, showRaw(content, maxBytes), connection),
    raw_url: cut(raw_url, maxBytes),
  }
}

function unpackResponse(
  { content, statusText, httpVersion, status_code, ...rest }: PackedResponse,
  { maxBytes }: Keep,
): ResponseDetails {
  const head = { httpVersion, statusCode: status_code, statusText, headers: content.lines }
  return {
    status_code,
    headers: groupHeaders(content.lines),
    body: showBody(content, maxBytes),
    ...rest,
    raw_response: renderRawResponse(head, showRaw(content, maxBytes)),
  }
}

function readBytes({ text, base64 }: PackedContent): Buffer | undefined {
  if (text !== undefined) return Buffer.from(text, 'utf8')
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64')
}

/** JSON if it is any, else text; bytes as a data URI, when they are all there. */
function showBody({ text, base64, bytes, isJson, shown, lines }: PackedContent, keep: number): Json {
  if (shown !== undefined) return shown
  if (base64 !== undefined) {
    const type = findHeader(lines, 'content-type') ?? 'application/octet-stream'
    return (base64.length / 4) * 3 >= bytes
      ? `data:${type.replaceAll(' ', '')};base64,${base64}`
      : `[binary body of ${formatBytes(bytes)}]`
  }
  if (text === undefined) return ''
  return isJson ? parseJson(text) : cut(text, keep, bytes)
}

/** The text of a body as raw texts show it: bytes that are not text are only counted. */
function showRaw({ text, base64, bytes }: PackedContent, keep: number): string {
  if (base64 !== undefined) return `[binary body of ${bytes} bytes]`
  return text === undefined ? '' : cut(text, keep, bytes)
}

function cut(text: string, limit: number, size?: number): string {
  const shown = text.toWellFormed()
  return shown.length > limit ? cutText(shown, limit, size) : shown
}
