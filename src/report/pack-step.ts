import type { AssertionResult } from '../assertion/check.ts'
import { toText, type Json, type JsonObject } from '../json.ts'
import type { HeaderLines, ReceivedResponse } from '../request/exchange.ts'
import { decode } from '../run/attempt/describe-exchange.ts'
import type { Attempt, RequestDetails, ResponseDetails, StepResult } from '../run/result.ts'
import type { SentExchange, StepOutcome } from '../run/step-outcome.ts'
import { formatBytes } from '../text/units.ts'
import { defaultKeptBytes, stringifySafely } from '../safe-json.ts'
import {
  longestAttempt,
  type PackedAttempt,
  type PackedContent,
  type PackedRequest,
  type PackedResponse,
  type PackedStep,
  type VisibleChange,
} from './unpack-step.ts'
import { mask } from '../secrets/secret-names.ts'
import type { Redactor } from '../secrets/redactor.ts'

/** What the reporter cuts off in the end, so that a secret across the cut is seen whole until then. */
const slack = 1024

/** Characters of a request's body that a curl command repeats. */
const longestCommand = 100_000

/** Longer values of variables appear once, in the suite's result. */
const longestVisible = 1024

/** Bytes of the bodies of a call to an upstream service. */
const longestBeside = 8192

/** What has field names of the author's in our own structures. */
const foreign = new Set(['body', 'sent', 'answered', 'events', 'messages', 'params'])

/** Packs the steps of one suite, in their order, for the reporter. */
export class StepPacker {
  #redactor: Redactor
  #maxBytes: number
  #visible: JsonObject = Object.create(null)

  constructor(redactor: Redactor, maxBytes: number = defaultKeptBytes) {
    this.#redactor = redactor
    this.#maxBytes = maxBytes
  }

  /** A step as JSON text fit to leave the worker: secrets hidden, as far as they were learnt, everything bounded in size and depth. */
  pack(outcome: StepOutcome): string {
    return stringifySafely(this.#describe(outcome))
  }

  /** The fields come in the order of result files. */
  #describe({ result, failures, exchange, earlier }: StepOutcome): PackedStep {
    const { captured_variables, iteration, burst } = result
    const lines = new Set(failures.map(({ at: [line] }) => line))
    return {
      step_id: this.#packOurs(result.step_id),
      qualified_step_id: this.#packOurs(result.qualified_step_id),
      step_name: this.#packOurs(result.step_name),
      status: result.status,
      duration_ms: result.duration_ms,
      ...this.#packExchange(result, exchange, this.#maxBytes),
      assertions_results: result.assertions_results.map((row) => this.#packRow(row)),
      captured_variables: this.#json(captured_variables),
      available_variables: this.#packVisible(result.available_variables),
      scenarios_meta: this.#packOurs(result.scenarios_meta),
      start_time: result.start_time,
      flaky: result.flaky,
      // The bodies share what may be kept of one.
      burst: burst && this.#packOurs(burst, Math.max(slack, Math.floor(this.#maxBytes / burst.times))),
      timings: result.timings,
      redirects: this.#packOurs(result.redirects),
      connection: result.connection,
      auth_requests: this.#packOurs(result.auth_requests),
      attempts: result.attempts?.map((each) => this.#packAttempt(each, earlier?.get(each.attempt))),
      mock_calls: this.#packOurs(result.mock_calls),
      warnings: this.#packOurs(result.warnings),
      error_message: this.#packOurs(result.error_message),
      skip_reason: this.#packOurs(result.skip_reason),
      iteration: iteration && this.#json(iteration),
      line: result.line,
      failed_lines: lines.size > 0 ? [...lines].toSorted((a, b) => a - b) : undefined,
    }
  }

  #packAttempt(attempt: Attempt, exchange: SentExchange | undefined): PackedAttempt {
    return {
      attempt: attempt.attempt,
      start_time: attempt.start_time,
      duration_ms: attempt.duration_ms,
      delay_ms: attempt.delay_ms,
      status: attempt.status,
      status_code: attempt.status_code,
      error_message: this.#packOurs(attempt.error_message),
      ...this.#packExchange(attempt, exchange, Math.min(this.#maxBytes, longestAttempt)),
    }
  }

  #packExchange(
    {
      request_details: request,
      response_details: response,
    }: Pick<StepResult, 'request_details' | 'response_details'>,
    exchange: SentExchange | undefined,
    limit: number,
  ): { request_details: PackedRequest | undefined; response_details: PackedResponse | undefined } {
    const received = exchange?.response
    return {
      request_details: request && exchange && this.#packRequest(request, exchange, limit),
      response_details: response && received && this.#packResponse(response, received, limit),
    }
  }

  #packRequest(
    { method, url, full_url, raw_url, params, base_url, body }: RequestDetails,
    { request: sent, file }: SentExchange,
    limit: number,
  ): PackedRequest {
    const source = (text: string): string => this.#redactor.redactSource(this.#cut(text))
    const bytes = sent.body
    return {
      method: source(method),
      url: source(url),
      full_url: source(full_url),
      raw_url: source(raw_url),
      ...(params && { params: this.#json(params) }),
      ...(base_url !== undefined && { base_url: source(base_url) }),
      file,
      content: this.#packContent(sent.headers, {
        bytes,
        text: bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'),
        json: typeof body === 'string' ? undefined : body,
        limit: limit === this.#maxBytes ? Math.max(limit, longestCommand) : limit,
      }),
    }
  }

  #packResponse(details: ResponseDetails, received: ReceivedResponse, limit: number): PackedResponse {
    const { headers: _headers, body: _body, ...rest } = details
    return {
      ...this.#packOurs(rest, this.#maxBytes),
      statusText: this.#redactor.redactText(received.statusText),
      httpVersion: received.httpVersion,
      content: this.#packContent(received.headers, { bytes: received.body, ...decode(received), limit }),
    }
  }

  #packContent(
    headers: HeaderLines,
    {
      bytes,
      text,
      json,
      limit,
    }: { bytes: Uint8Array | undefined; text: string | undefined; json?: Json | undefined; limit: number },
  ): PackedContent {
    const packed: PackedContent = { lines: this.#packLines(headers), bytes: bytes?.byteLength ?? 0 }
    if (bytes === undefined || text === undefined) return packed
    if (json === undefined && isBinary(text)) {
      packed.base64 = Buffer.from(bytes.subarray(0, limit)).toString('base64')
      return packed
    }
    const isCut = text.length > limit + slack
    packed.text = this.#redactor.redactSource(isCut ? text.slice(0, limit + slack) : text)
    if (isCut) packed.isCut = true
    if (json === undefined) return packed
    if (isCut || packed.text !== text) packed.shown = this.#json(json)
    else packed.isJson = true
    return packed
  }

  /** Header lines, each redacted by its name. */
  #packLines(lines: HeaderLines): HeaderLines {
    const redactor = this.#redactor
    return lines.map(([name, value]) => {
      if (!redactor.isSecretName(name)) return [name, redactor.redactText(value)]
      return [name, redactor.redactJson({ [name]: value })[name] ?? mask]
    })
  }

  #packVisible(visible: JsonObject): VisibleChange {
    const before = this.#visible
    this.#visible = visible
    const set: JsonObject = Object.create(null)
    for (const name of Object.keys(visible))
      if (visible[name] !== before[name]) set[name] = shorten(visible[name] as Json)
    const gone = Object.keys(before).filter((name) => !Object.hasOwn(visible, name))
    return {
      ...(Object.keys(set).length > 0 && { set: this.#json(set) }),
      ...(gone.length > 0 && { gone }),
    }
  }

  #packRow({ field, expected, actual, passed, message }: AssertionResult): AssertionResult {
    const redactor = this.#redactor
    // A condition may mention a secret name: what it came to has no name.
    const isCondition = field === expected
    const show = (value: Json): Json => this.#json(isCondition ? value : redactor.redactField(field, value))
    return {
      field: redactor.redactText(field),
      expected: show(expected),
      actual: show(actual),
      passed,
      message: redactor.redactText(message),
    }
  }

  #json<T extends Json>(value: T): T {
    if (typeof value !== 'object' && typeof value !== 'string') return value
    return this.#redactor.redactJson(value, { maxBytes: this.#maxBytes })
  }

  /** Redacts one of our own structures: only some things in it have field names of the author's, and are cut. */
  #packOurs<Part>(part: Part, maxBytes?: number): Part
  #packOurs(part: Json, maxBytes: number = Math.min(this.#maxBytes, longestBeside)): Json {
    if (typeof part === 'string') return this.#redactor.redactText(part)
    if (typeof part !== 'object' || part === null) return part
    if (Array.isArray(part)) return part.map((item) => this.#packOurs(item, maxBytes))
    const packed: JsonObject = {}
    for (const key of Object.keys(part)) {
      const value = part[key] as Json
      packed[key] = foreign.has(key)
        ? this.#redactor.redactJson(value, { maxBytes })
        : this.#packOurs(value, maxBytes)
    }
    return packed
  }

  #cut(text: string): string {
    return text.length > this.#maxBytes + slack ? text.slice(0, this.#maxBytes + slack) : text
  }
}

/** Text has no zero bytes and few broken characters. */
function isBinary(text: string): boolean {
  const start = text.length > 4096 ? text.slice(0, 4096) : text
  if (start.includes('\0')) return true
  const broken = start.split('\ufffd').length - 1
  return broken > 3 && broken > start.length / 50
}

function shorten(value: Json): Json {
  if (typeof value !== 'object' && typeof value !== 'string') return value
  const { length } = toText(value)
  if (length <= longestVisible) return value
  return `[cut: ${formatBytes(length)}, see \`available_variables\` of the suite]`
}
