import { dirname, isAbsolute, join } from 'node:path'
import { roundMs } from '../../text/units.ts'
import { readFields, type ResponseContext } from '../../assertion/check-context.ts'
import { toText, type Json, type JsonObject } from '../../json.ts'
import { decodeResponse, type BodyKind, type DecodedBody } from '../../request/receive/decode-body.ts'
import { openMarkup } from '../../request/markup/markup.ts'
import { findOrigin } from '../../request/build/build-url.ts'
import { findHeader, groupHeaders, joinHeaders } from '../../request/exchange.ts'
import type { Exchange, ReceivedResponse, Timings } from '../../request/exchange.ts'
import type { RequestInput } from '../../request/build/request-input.ts'
import { hasTemplate } from '../../interpolation/template.ts'
import { rememberObjects } from '../../remember.ts'
import { readData } from '../../safe-json.ts'
import { warn, type StepAttempt } from './attempt.ts'

/** A request as written, with all `{{…}}` filled in. */
export type FilledRequest = { input: RequestInput; baseUrl?: string | undefined }

const decoded = new WeakMap<ReceivedResponse, DecodedBody>()

/** The body of a response, decoded only once. `kind` and `method` count in the first call for it. */
export function decode(response: ReceivedResponse, kind?: BodyKind, method?: string): DecodedBody {
  const known = decoded.get(response) ?? decodeResponse(response, kind, method)
  decoded.set(response, known)
  return known
}

/** What assertions, captures and scenarios look at. */
export function createResponseContext(
  { response, request, timings, redirects }: Exchange & { response: ReceivedResponse },
  { run: { plan, environment }, step: { bodyAs: kind } }: StepAttempt,
): ResponseContext {
  const { text, json, base64, jsonError, sizeBytes } = decode(response, kind, request.method)
  const contentType = findHeader(response.headers, 'content-type')
  const duration = roundMs(timings.total)
  const { expression } = environment.settings.limits
  return {
    status_code: response.statusCode,
    headers: groupHeaders(response.headers),
    // JSON if it is JSON (including `null`), else base64 if requested, else the text.
    body: json === undefined ? (base64 ?? text) : json,
    markup: openMarkup({ text, contentType, kind }, plan.xmlNamespaces ?? {}, expression),
    bodyText: text,
    ...(jsonError !== undefined && { bodyError: jsonError }),
    response_time_ms: duration,
    duration_ms: duration,
    size_bytes: sizeBytes,
    redirects: redirects.map((redirect) => ({ ...redirect })),
    request: {
      method: request.method,
      url: request.url,
      headers: groupHeaders(request.headers),
      body: request.body ? readSentBody(request.body) : '',
    },
  }
}

/** What JavaScript conditions see of a response: the same object each time, so that an engine loads its body once. */
export const listLocals = rememberObjects((response: ResponseContext): JsonObject =>
  Object.assign(readFields(response), { response_time: response.response_time_ms }),
)

/** Records an exchange as result files show it, before redaction. Returns what checks look at, if there is a response. */
export function noteExchange(
  attempt: StepAttempt,
  exchange: Exchange,
  { input, baseUrl }: FilledRequest,
): ResponseContext | undefined {
  const { run, step, details } = attempt
  const { request, response, redirects, connection, authRequests, failure, warnings = [] } = exchange
  const file = input.file === undefined ? undefined : toText(input.file)
  attempt.exchange = {
    request,
    ...(response && { response }),
    ...(file !== undefined && { file: isAbsolute(file) ? file : join(dirname(run.plan.file), file) }),
  }
  details.request_details = {
    method: request.method,
    url: input.url,
    headers: joinHeaders(request.headers),
    ...(request.body && { body: readSentBody(request.body) }),
    ...(input.params && { params: input.params }),
    ...(baseUrl !== undefined && { base_url: baseUrl }),
    full_url: request.url,
    raw_url: `${baseUrl === undefined || findOrigin(input.url) ? '' : '{{base_url}}'}${step.request?.url ?? ''}`,
  }
  // Rounded to microseconds, since an event loop is no more exact.
  const rounded = Object.entries(exchange.timings).map(([phase, ms]) => [phase, Math.round(ms * 1000) / 1000])
  details.timings = Object.fromEntries(rounded) as Timings
  if (redirects.length > 0) details.redirects = redirects
  if (connection) details.connection = connection
  if (authRequests) details.auth_requests = authRequests
  for (const message of warnings) warn(attempt, step.at, message)
  const written = step.request?.body
  const isBroken =
    typeof written === 'string' &&
    /^\s*[[{](?!\{)/.test(written) &&
    hasTemplate(written) &&
    typeof details.request_details.body === 'string' &&
    /[/+]json\b/i.test(findHeader(request.headers, 'content-type') ?? '')
  if (isBroken) {
    const told = 'The body that was sent is not valid JSON: `{{…}}` puts values into a text as they are'
    warn(attempt, step.at, `${told}. Write the body as a map or list instead of a text.`)
  }
  if (!response) return undefined
  const context = createResponseContext({ ...exchange, response }, attempt)
  const { status_code, headers, body, size_bytes } = context
  const transfer_bytes = response.transferBytes
  details.response_details = { status_code, headers, body, size_bytes, transfer_bytes }
  const { warning } = failure ? {} : decode(response)
  if (warning !== undefined) warn(attempt, step.at, warning)
  return context
}

/** The body that was sent, for checks and reports: parsed if it is a JSON map or list, else the text. */
const readSentBody = rememberObjects((body: Uint8Array): Json => {
  const text = Buffer.from(body).toString('utf8')
  return text[0] === '{' || text[0] === '[' ? readData(text) : text
})
