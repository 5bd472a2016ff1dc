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

/** A body on its way to the reporter, redacted. */
export type PackedBody = {
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

/** The request of a step on its way to the reporter. */
export type PackedRequest = Omit<RequestDetails, 'headers' | 'body' | 'curl_command' | 'raw_request'> & {
  content: PackedBody
  file?: string
}

/** The response of a step on its way to the reporter. */
export type PackedResponse = Omit<ResponseDetails, 'headers' | 'body' | 'raw_response'> & {
  content: PackedBody
  statusText: string
  httpVersion: string
}

/** What changed in the variables a step sees since the step before. */
export type VisibleChange = { set?: JsonObject; gone?: string[] }

/** The result of a step as it travels from the worker to the reporter: nothing in it twice, nothing that can be derived. */
export type PackedStep = Omit<
  StepResult,
  'request_details' | 'response_details' | 'available_variables' | 'attempts'
> &
  PackedExchange & { visible: VisibleChange; attempts?: PackedAttempt[] }

type PackedExchange = { request?: PackedRequest; response?: PackedResponse }

/** An attempt on its way to the reporter. */
export type PackedAttempt = Omit<Attempt, 'request_details' | 'response_details'> & PackedExchange

/** Makes the results of a suite's steps, in their order, of what its worker sent: bodies read, variables added up, curl lines and raw texts derived. */
export function unpackSteps(
  packed: readonly PackedStep[],
  maxBytes: number = defaultKeptBytes,
): StepResult[] {
  let seen: JsonObject = {}
  return packed.map(({ request, response, visible, ...rest }) => {
    // No name is both set and gone.
    seen = { ...seen, ...visible.set }
    for (const name of visible.gone ?? []) delete seen[name]
    const { step_id, qualified_step_id, step_name, status, duration_ms, attempts, ...result } = rest
    const { assertions_results, captured_variables, scenarios_meta, ...more } = result
    // In the order of result files.
    return {
      step_id,
      qualified_step_id,
      step_name,
      status,
      duration_ms,
      ...unpackExchange({ request, response }, maxBytes, result.connection),
      assertions_results,
      captured_variables,
      available_variables: seen,
      ...(scenarios_meta && { scenarios_meta }),
      ...more,
      ...(attempts && { attempts: attempts.map((each) => unpackAttempt(each, maxBytes, result.connection)) }),
    }
  })
}

function unpackAttempt(
  { request, response, ...attempt }: PackedAttempt,
  maxBytes: number,
  connection: ConnectionNote | undefined,
): Attempt {
  return {
    ...attempt,
    ...unpackExchange({ request, response }, Math.min(maxBytes, longestAttempt), connection),
  }
}

function unpackExchange(
  { request, response }: { request: PackedRequest | undefined; response: PackedResponse | undefined },
  keep: number,
  connection: ConnectionNote | undefined,
): Pick<StepResult, 'request_details' | 'response_details'> {
  return {
    ...(request && { request_details: unpackRequest(request, keep, connection) }),
    ...(response && { response_details: unpackResponse(response, keep) }),
  }
}

function unpackRequest(
  { content, file, ...packed }: PackedRequest,
  keep: number,
  connection: ConnectionNote | undefined,
): RequestDetails {
  const { method, url, full_url, raw_url, ...rest } = packed
  const bytes = readBytes(content)
  const sent = { method, url: full_url, headers: content.lines, ...(bytes && { body: bytes }) }
  const isWhole = !content.isCut && (content.base64 === undefined || bytes?.byteLength === content.bytes)
  const options = {
    keep,
    connection,
    ...(file !== undefined && { file }),
    ...(!isWhole && { bytes: content.bytes }),
  }
  return {
    method: cut(method, keep),
    url: cut(url, keep),
    headers: joinHeaders(content.lines),
    ...(bytes && { body: showBody(content, keep) }),
    ...rest,
    full_url: cut(full_url, keep),
    // curl speaks no WebSocket.
    ...(!full_url.startsWith('ws') && { curl_command: renderCurl(sent, options) }),
    raw_request: renderRawRequest(sent, showRaw(content, keep), connection),
    raw_url: cut(raw_url, keep),
  }
}

function unpackResponse(packed: PackedResponse, keep: number): ResponseDetails {
  const { content, statusText, httpVersion, status_code, ...rest } = packed
  const head = { httpVersion, statusCode: status_code, statusText, headers: content.lines }
  return {
    status_code,
    headers: groupHeaders(content.lines),
    body: showBody(content, keep),
    ...rest,
    raw_response: renderRawResponse(head, showRaw(content, keep)),
  }
}

function readBytes({ text, base64 }: PackedBody): Buffer | undefined {
  if (text !== undefined) return Buffer.from(text, 'utf8')
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64')
}

/** JSON if it is any, else text; bytes as a data URI, when they are all there. */
function showBody({ text, base64, bytes, isJson, shown, lines }: PackedBody, keep: number): Json {
  if (shown !== undefined) return shown
  if (base64 !== undefined) {
    const type = findHeader(lines, 'content-type') ?? 'application/octet-stream'
    return (base64.length / 4) * 3 >= bytes
      ? `data:${type.replaceAll(' ', '')};base64,${base64}`
      : `[binary body of ${formatBytes(bytes)}]`
  }
  if (text === undefined) return ''
  if (isJson) return parseJson(text)
  return cut(text, keep, bytes)
}

/** The text of a body as raw texts show it: bytes that are not text are only counted. */
function showRaw({ text, base64, bytes }: PackedBody, keep: number): string {
  if (base64 !== undefined) return `[binary body of ${bytes} bytes]`
  return text === undefined ? '' : cut(text, keep, bytes)
}

function cut(text: string, limit: number, size?: number): string {
  const shown = text.toWellFormed()
  return shown.length > limit ? cutText(shown, limit, size) : shown
}
