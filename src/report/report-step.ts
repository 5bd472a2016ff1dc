import type { AssertionResult } from '../assertion/check.ts'
import { toText, type Json, type JsonObject } from '../json.ts'
import { groupHeaders, joinHeaders, type ConnectionNote, type ReceivedResponse } from '../request/exchange.ts'
import { renderCurl, renderRawRequest, renderRawResponse } from '../request/render/render-request.ts'
import { decode } from '../run/attempt/describe-exchange.ts'
import type { Attempt, RequestDetails, ResponseDetails, StepResult } from '../run/result.ts'
import type { SentExchange, StepOutcome } from '../run/step-outcome.ts'
import type { Redactor } from '../secrets/redactor.ts'
import { outsideCheck } from '../secrets/secret-names.ts'
import { formatBytes } from '../text/units.ts'
import { cutContent, showContent, slack, tellApart } from './show-content.ts'
import { defaultLimits } from '../limits.ts'

/** Maximum characters of a variable's value in a step. Longer ones appear only in the suite's result. */
const longestVisible = 1024

/** Maximum bytes of each body of an earlier attempt, or of a call to an upstream service. */
const longestBeside = 8192

/** Keys of our own structures whose values have field names chosen by the author. */
const authored = new Set(['body', 'sent', 'answered', 'events', 'messages', 'params'])

/** A result under construction: no field can be forgotten, and undefined ones are not in its JSON. */
type Complete<Part> = {
  [Key in keyof Part]-?: object extends Pick<Part, Key> ? Part[Key] | undefined : Part[Key]
}

/** The request and response of a step or attempt. */
export type ExchangeDetails = Pick<StepResult, 'request_details' | 'response_details'>

/** Prepares the results of one suite's steps, in order, for all outputs: hides the secrets learnt so far and bounds size and depth. */
export class StepReporter {
  #redactor: Redactor
  #maxBytes: number
  #visible: JsonObject = Object.create(null)
  /** `#visible` as the report shows it. */
  #shown: JsonObject = {}

  constructor(redactor: Redactor, maxBytes: number = defaultLimits.reportBody) {
    this.#redactor = redactor
    this.#maxBytes = maxBytes
  }

  /** The result of a step as in result files, with its fields in order. */
  report({ result, failures, exchange, earlier }: StepOutcome): StepResult {
    const { captured_variables, iteration, burst, connection } = result
    const lines = new Set(failures.map(({ at: [line] }) => line))
    const keep = { limit: this.#maxBytes, connection }
    const brief = { limit: Math.min(this.#maxBytes, longestBeside), connection }
    return {
      step_id: this.#showOurs(result.step_id),
      qualified_step_id: this.#showOurs(result.qualified_step_id),
      step_name: this.#showOurs(result.step_name),
      status: result.status,
      duration_ms: result.duration_ms,
      ...this.#showExchange(result, exchange, keep),
      assertions_results: result.assertions_results.map((row) => this.#showRow(row)),
      captured_variables: this.#json(captured_variables),
      available_variables: this.#showVisible(result.available_variables),
      scenarios_meta: this.#showOurs(result.scenarios_meta),
      start_time: result.start_time,
      flaky: result.flaky,
      // All bodies together may be as large as a single one.
      burst: burst && this.#showOurs(burst, Math.max(slack, Math.floor(this.#maxBytes / burst.times))),
      timings: result.timings,
      redirects: this.#showOurs(result.redirects),
      connection,
      auth_requests: this.#showOurs(result.auth_requests),
      attempts: result.attempts?.map((each) => this.#showAttempt(each, earlier?.get(each.attempt), brief)),
      mock_calls: this.#showOurs(result.mock_calls),
      warnings: this.#showOurs(result.warnings),
      error_message: this.#showOurs(result.error_message),
      skip_reason: this.#showOurs(result.skip_reason),
      iteration: iteration && this.#json(iteration),
      line: result.line,
      failed_lines: lines.size > 0 ? [...lines].toSorted((a, b) => a - b) : undefined,
    } satisfies Complete<StepResult> as StepResult
  }

  #showAttempt(attempt: Attempt, exchange: SentExchange | undefined, keep: Keep): Attempt {
    return {
      attempt: attempt.attempt,
      start_time: attempt.start_time,
      duration_ms: attempt.duration_ms,
      delay_ms: attempt.delay_ms,
      status: attempt.status,
      status_code: attempt.status_code,
      error_message: this.#showOurs(attempt.error_message),
      ...this.#showExchange(attempt, exchange, keep),
    } satisfies Complete<Attempt> as Attempt
  }

  #showExchange(
    { request_details: request, response_details: response }: ExchangeDetails,
    exchange: SentExchange | undefined,
    keep: Keep,
  ): Complete<ExchangeDetails> {
    const received = exchange?.response
    return {
      request_details: request && exchange && this.#showRequest(request, exchange, keep),
      response_details: response && received && this.#showResponse(response, received, keep.limit),
    }
  }

  #showRequest(
    { method, url, full_url, raw_url, params, base_url, body }: RequestDetails,
    { request: { headers, body: bytes }, file }: SentExchange,
    { limit, connection }: Keep,
  ): RequestDetails {
    const written = {
      bytes,
      text: bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'),
      json: typeof body === 'string' ? undefined : body,
      limit,
    }
    const content = showContent(headers, written, this.#redactor)
    const shownUrl = this.#source(full_url)
    const sent = { method: this.#source(method), url: shownUrl, headers: content.lines, body: content.bytes }
    return {
      method: cutContent(sent.method, limit),
      url: cutContent(this.#source(url), limit),
      headers: joinHeaders(content.lines),
      body: content.shown,
      params: params && this.#json(params),
      base_url: base_url === undefined ? undefined : this.#source(base_url),
      full_url: cutContent(shownUrl, limit),
      // None for WebSockets: curl would not repeat the dialogue.
      curl_command: full_url.startsWith('ws')
        ? undefined
        : renderCurl(sent, { keep: limit, connection, file, bytes: content.whole }),
      raw_request: renderRawRequest(sent, content.raw, connection),
      raw_url: cutContent(this.#source(raw_url), limit),
    } satisfies Complete<RequestDetails> as RequestDetails
  }

  #showResponse(
    { status_code, headers: _headers, body: _body, ...rest }: ResponseDetails,
    received: ReceivedResponse,
    limit: number,
  ): ResponseDetails {
    const body = { ...decode(received), bytes: received.body, limit }
    const content = showContent(received.headers, body, this.#redactor)
    const { httpVersion, statusCode } = received
    const statusText = this.#redactor.redactText(received.statusText)
    const head = { httpVersion, statusCode, statusText, headers: content.lines }
    return {
      status_code,
      headers: groupHeaders(content.lines),
      body: content.shown ?? null,
      ...this.#showOurs(rest, this.#maxBytes),
      raw_response: renderRawResponse(head, content.raw),
    }
  }

  /** Shows visible variables; reuses those unchanged since the previous step, which are most. */
  #showVisible(visible: JsonObject): JsonObject {
    const before = this.#visible
    this.#visible = visible
    const shown: JsonObject = {}
    const changed: JsonObject = Object.create(null)
    for (const [name, value] of Object.entries<Json | undefined>(visible))
      // A variable of the step that could not be filled in, and so failed it, is undefined.
      if (value !== undefined && value === before[name]) shown[name] = this.#shown[name] as Json
      else if (value !== undefined) changed[name] = shorten(value)
    this.#shown = Object.assign(shown, this.#json(changed))
    return this.#shown
  }

  #showRow({ field, expected, actual, passed, message }: AssertionResult): AssertionResult {
    const redactor = this.#redactor
    // A condition may mention a secret name, but its result is not the value of that name.
    const isCondition = field === expected
    const show = (value: Json, isOpen = isCondition): Json =>
      this.#json(isOpen ? value : redactor.redactField(field, value))
    return {
      field: redactor.redactText(field),
      expected: show(expected, isCondition || outsideCheck.test(field.slice(field.lastIndexOf('.') + 1))),
      actual: show(actual),
      passed,
      message: tellApart(redactor.redactText(message)),
    }
  }

  #json<T extends Json>(value: T): T {
    return this.#redactor.redactJson(value, { maxBytes: this.#maxBytes })
  }

  /** Redacts one of our own structures. Only values of `authored` keys have the author's field names, and are cut. */
  #showOurs<Part>(part: Part, maxBytes?: number): Part
  #showOurs(part: Json, maxBytes: number = Math.min(this.#maxBytes, longestBeside)): Json {
    if (typeof part === 'string') return this.#redactor.redactText(part)
    if (typeof part !== 'object' || part === null) return part
    if (Array.isArray(part)) return part.map((item) => this.#showOurs(item, maxBytes))
    const shown: JsonObject = {}
    for (const key of Object.keys(part)) {
      const value = part[key] as Json
      shown[key] = authored.has(key)
        ? this.#redactor.redactJson(value, { maxBytes })
        : this.#showOurs(value, maxBytes)
    }
    return shown
  }

  #source(text: string): string {
    return this.#redactor.redactSource(text.slice(0, this.#maxBytes + slack))
  }
}

type Keep = { limit: number; connection: ConnectionNote | undefined }

function shorten(value: Json): Json {
  const { length } = toText(value)
  if (length <= longestVisible) return value
  return `[cut: ${formatBytes(length)}, see \`available_variables\` of the suite]`
}
