import type { AssertionResult } from '../assertion/check.ts'
import { toText, type Json, type JsonObject } from '../json.ts'
import type { HeaderLines, ReceivedResponse } from '../request/exchange.ts'
import { decode } from '../run/attempt/describe-exchange.ts'
import type { Attempt, BurstDetails, RequestDetails, ResponseDetails } from '../run/result.ts'
import type { SentExchange, StepOutcome } from '../run/step-outcome.ts'
import { formatBytes } from '../text/units.ts'
import { defaultKeptBytes, stringifySafely } from '../safe-json.ts'
import { learnStep } from './learn-step.ts'
import {
  longestAttempt,
  type PackedAttempt,
  type PackedBody,
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

/** Bytes of the body of an earlier attempt, or of a call to an upstream service. */
const longestBeside = 8192
const bodies = new Set(['body', 'sent', 'answered'])

/** Packs the steps of one suite, in their order, for the reporter. */
export class StepPacker {
  #redactor: Redactor
  #maxBytes: number
  #visible: JsonObject = Object.create(null)

  constructor(redactor: Redactor, maxBytes: number = defaultKeptBytes) {
    this.#redactor = redactor
    this.#maxBytes = maxBytes
  }

  /** A step as JSON text fit to leave the worker: secrets hidden (those of its own headers, bodies and variables learnt first), everything bounded in size and depth. */
  pack(outcome: StepOutcome): string {
    learnStep(this.#redactor, outcome.result)
    return stringifySafely(this.#describe(outcome))
  }

  #describe({ result, failures, exchange, earlier }: StepOutcome): PackedStep {
    const {
      request_details: request,
      response_details: response,
      available_variables,
      attempts,
      ...rest
    } = result
    const redactor = this.#redactor
    const text = (value: string): string => redactor.redactText(value)
    const lines = new Set(failures.map(({ at: [line] }) => line))
    const packed: PackedStep = {
      ...rest,
      step_id: text(rest.step_id),
      qualified_step_id: text(rest.qualified_step_id),
      step_name: text(rest.step_name),
      assertions_results: rest.assertions_results.map((row) => this.#packRow(row)),
      captured_variables: this.#json(rest.captured_variables),
      ...(rest.iteration && { iteration: this.#json(rest.iteration) }),
      ...(lines.size > 0 && { failed_lines: [...lines].toSorted((a, b) => a - b) }),
      visible: this.#packVisible(available_variables),
    }
    if (rest.error_message !== undefined) packed.error_message = text(rest.error_message)
    if (rest.skip_reason !== undefined) packed.skip_reason = text(rest.skip_reason)
    for (const name of ['mock_calls', 'redirects', 'auth_requests', 'warnings', 'scenarios_meta'] as const) {
      const part = rest[name]
      if (part) Object.assign(packed, { [name]: this.#packPart(part as unknown as Json) })
    }
    if (rest.burst) packed.burst = this.#packBurst(rest.burst)
    if (attempts)
      packed.attempts = attempts.map((each) => this.#packAttempt(each, earlier?.get(each.attempt)))
    return Object.assign(packed, this.#packExchange({ request, response }, exchange, this.#maxBytes))
  }

  #packAttempt(attempt: Attempt, exchange: SentExchange | undefined): PackedAttempt {
    const { request_details: request, response_details: response, error_message, ...rest } = attempt
    return {
      ...rest,
      ...(error_message !== undefined && { error_message: this.#redactor.redactText(error_message) }),
      ...this.#packExchange({ request, response }, exchange, Math.min(this.#maxBytes, longestAttempt)),
    }
  }

  #packExchange(
    { request, response }: { request: RequestDetails | undefined; response: ResponseDetails | undefined },
    exchange: SentExchange | undefined,
    limit: number,
  ): Pick<PackedStep, 'request' | 'response'> {
    const received = exchange?.response
    return {
      ...(request && exchange && { request: this.#packRequest(request, exchange, limit) }),
      ...(response && received && { response: this.#packResponse(response, received, limit) }),
    }
  }

  /** The bodies share what may be kept of one. */
  #packBurst({ responses, ...burst }: BurstDetails): BurstDetails {
    const maxBytes = Math.max(slack, Math.floor(this.#maxBytes / burst.times))
    return {
      ...burst,
      responses: responses.map(({ body, ...rest }) => ({
        ...rest,
        body: this.#redactor.redactJson(body, { maxBytes }),
      })),
    }
  }

  #packRequest(details: RequestDetails, { request: sent, file }: SentExchange, limit: number): PackedRequest {
    const { method, url, full_url, raw_url, params, base_url, body } = details
    const source = (text: string): string => this.#redactor.redactSource(this.#cut(text))
    const bytes = sent.body && Buffer.from(sent.body.buffer, sent.body.byteOffset, sent.body.byteLength)
    const text = bytes?.toString('utf8')
    return {
      method: source(method),
      url: source(url),
      full_url: source(full_url),
      raw_url: source(raw_url),
      ...(params && { params: this.#json(params) }),
      ...(base_url !== undefined && { base_url: source(base_url) }),
      ...(file !== undefined && { file }),
      content: this.#packBody(sent.headers, {
        bytes,
        text,
        json: typeof body === 'string' ? undefined : body,
        limit: limit === this.#maxBytes ? Math.max(limit, longestCommand) : limit,
      }),
    }
  }

  #packResponse(details: ResponseDetails, received: ReceivedResponse, limit: number): PackedResponse {
    const { headers: _headers, body: _body, events, messages, close_reason, ...rest } = details
    const { buffer, byteOffset, byteLength } = received.body
    return {
      ...rest,
      ...(events && { events: this.#json(events) }),
      ...(messages && { messages: this.#json(messages) }),
      ...(close_reason !== undefined && { close_reason: this.#redactor.redactText(close_reason) }),
      statusText: this.#redactor.redactText(received.statusText),
      httpVersion: received.httpVersion,
      content: this.#packBody(received.headers, {
        bytes: Buffer.from(buffer, byteOffset, byteLength),
        ...decode(received),
        limit,
      }),
    }
  }

  #packBody(
    headers: HeaderLines,
    {
      bytes,
      text,
      json,
      limit,
    }: { bytes: Buffer | undefined; text: string | undefined; json?: Json | undefined; limit: number },
  ): PackedBody {
    const packed: PackedBody = { lines: this.#packLines(headers), bytes: bytes?.byteLength ?? 0 }
    if (bytes === undefined || text === undefined) return packed
    if (json === undefined && isBinary(text)) {
      packed.base64 = bytes.subarray(0, limit).toString('base64')
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

  /** Redacts one of our own structures: only the bodies in it have field names of the author's. */
  #packPart(value: Json): Json {
    if (typeof value === 'string') return this.#redactor.redactText(value)
    if (Array.isArray(value)) return value.map((item) => this.#packPart(item))
    if (value === null || typeof value !== 'object') return value
    const maxBytes = Math.min(this.#maxBytes, longestBeside)
    const pack = (key: string, part: Json): Json =>
      bodies.has(key) ? this.#redactor.redactJson(part, { maxBytes }) : this.#packPart(part)
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, pack(key, part)]))
  }

  #cut(text: string): string {
    return text.length > this.#maxBytes + slack ? text.slice(0, this.#maxBytes + slack) : text
  }
}

/** Text has no zero bytes and few broken characters. */
function isBinary(text: string): boolean {
  const start = text.length > 4096 ? text.slice(0, 4096) : text
  if (start.includes('\0')) return true
  if (!start.includes('\ufffd')) return false
  const broken = start.split('\ufffd').length - 1
  return broken > 3 && broken > start.length / 50
}

function shorten(value: Json): Json {
  if (typeof value !== 'object' && typeof value !== 'string') return value
  const { length } = toText(value)
  if (length <= longestVisible) return value
  return `[cut: ${formatBytes(length)}, see \`available_variables\` of the suite]`
}
