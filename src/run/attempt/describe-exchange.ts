import { roundMs } from '../../text/units.ts'
import { readFields, type ResponseContext } from '../../assertion/check-context.ts'
import type { Json, JsonObject } from '../../json.ts'
import { decodeResponse, type BodyKind, type DecodedBody } from '../../request/receive/decode-body.ts'
import { Markup } from '../../request/markup/markup.ts'
import type { StepPlan } from '../../suite/plan/plan.ts'
import type { SuiteRun } from '../suite-run.ts'
import { findHeader, groupHeaders, joinHeaders } from '../../request/exchange.ts'
import type { Exchange, ReceivedResponse } from '../../request/exchange.ts'
import type { RequestInput } from '../../request/build/request-input.ts'
import { rememberObjects } from '../../remember.ts'
import { readData } from '../../safe-json.ts'
import type { RequestDetails } from '../result.ts'

/** A response decoded once, for assertions and for the report. */
const decoded = new WeakMap<ReceivedResponse, DecodedBody>()

/** The body of a response, decoded as `kind`, which the first who asks has to say. */
export function decode(response: ReceivedResponse, kind?: BodyKind): DecodedBody {
  const known = decoded.get(response) ?? decodeResponse(response, kind)
  decoded.set(response, known)
  return known
}

/** What assertions, captures and scenarios look at. */
export function createResponseContext(
  exchange: Exchange,
  { plan, environment }: Pick<SuiteRun, 'plan' | 'environment'>,
  { bodyAs: kind }: Pick<StepPlan, 'bodyAs'>,
): ResponseContext {
  const response = exchange.response as ReceivedResponse
  const body = decode(response, kind)
  const contentType = findHeader(response.headers, 'content-type')
  return {
    status_code: response.statusCode,
    headers: groupHeaders(response.headers),
    body: readBody(body),
    markup: new Markup(
      { text: body.text, contentType, kind },
      plan.xmlNamespaces ?? {},
      environment.settings.pathLimit,
    ),
    bodyText: body.text,
    ...(body.jsonError !== undefined && { bodyError: body.jsonError }),
    response_time_ms: roundMs(exchange.timings.total),
    duration_ms: roundMs(exchange.timings.total),
    size_bytes: body.sizeBytes,
    redirects: exchange.redirects.map((redirect) => ({ ...redirect })),
    request: {
      method: exchange.request.method,
      url: exchange.request.url,
      headers: Object.fromEntries(
        exchange.request.headers.map(([name, value]) => [name.toLowerCase(), value]),
      ),
      body: exchange.request.body ? readSentBody(exchange.request.body) : '',
    },
  }
}

/** Values of a response as JavaScript conditions see them, beside the variables: one object, so that an engine can load its body once. */
export const listLocals = rememberObjects((response: ResponseContext): JsonObject =>
  Object.assign(readFields(response), { response_time: response.response_time_ms }),
)

/** The request as result files show it, without what the reporter derives; not yet redacted. */
export function describeRequest(
  { request }: Exchange,
  filled: { input: RequestInput; baseUrl?: string | undefined; rawUrl: string },
): RequestDetails {
  return {
    method: request.method,
    url: filled.input.url,
    headers: joinHeaders(request.headers),
    ...(request.body && { body: readSentBody(request.body) }),
    ...(filled.input.params && { params: filled.input.params }),
    ...(filled.baseUrl !== undefined && { base_url: filled.baseUrl }),
    full_url: request.url,
    raw_url: filled.rawUrl,
  }
}

/** What the author should know about an exchange although nothing failed, such as a refused cookie or an unknown charset. */
export function readWarnings({ response, failure, warnings = [] }: Exchange): string[] {
  const { warning } = response && !failure ? decode(response) : {}
  return warning === undefined ? warnings : [...warnings, warning]
}

/** JSON if it is any (`null` included), else base64 where that was asked for, else the text. */
function readBody({ json, base64, text }: DecodedBody): Json {
  return json === undefined ? (base64 ?? text) : json
}

/** JSON if it is any, else the text; both checks and the report look at it. */
const readSentBody = rememberObjects((body: Uint8Array): Json => {
  const text = Buffer.from(body).toString('utf8')
  return text[0] === '{' || text[0] === '[' ? readData(text) : text
})
