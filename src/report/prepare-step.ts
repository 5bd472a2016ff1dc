import type { AssertionResult } from '../assertion/check.ts'
import type { Json } from '../json.ts'
import { leaveOutCommand, measureRaw } from '../request/render-request.ts'
import type { RequestDetails, ResponseDetails, StepResult } from '../run/result.ts'
import { cutText, defaultKeptBytes } from '../safe-json.ts'
import { learnStep } from '../secrets/learn-step.ts'
import type { Redactor } from '../secrets/redactor.ts'

export type PrepareOptions = {
  redactor: Redactor
  /** How much of a body, raw text or value is kept, in bytes. @default 65536 */
  maxBytes?: number
}

// Text behind the cut that is redacted with the rest, so that a secret across the cut is seen whole.
const lookahead = 65_536

/** Makes a step's result fit to leave the process: secrets hidden (those of its own headers, bodies and variables learnt first), everything bounded in size and depth. */
export function prepareStep(
  step: StepResult,
  { redactor, maxBytes = defaultKeptBytes }: PrepareOptions,
): StepResult {
  learnStep(redactor, step)
  const json = <T extends Json>(value: T): T => redactor.redactJson(value, { maxBytes })
  const cut = (text: string): string => {
    const shown = redactor.redactSource(text.slice(0, maxBytes + lookahead)).toWellFormed()
    return text.length > maxBytes ? cutText(shown, maxBytes, measureRaw(text)) : shown
  }
  const prepared: StepResult = {
    ...step,
    step_id: redactor.redactText(step.step_id),
    qualified_step_id: redactor.redactText(step.qualified_step_id),
    step_name: redactor.redactText(step.step_name).toWellFormed(),
    assertions_results: step.assertions_results.map((row) => prepareRow(row, redactor, json)),
    captured_variables: json(step.captured_variables),
    available_variables: json(step.available_variables),
  }
  if (step.request_details)
    prepared.request_details = prepareRequest(step.request_details, { json, cut, maxBytes, redactor })
  if (step.response_details) prepared.response_details = prepareResponse(step.response_details, { json, cut })
  if (step.error_message !== undefined)
    prepared.error_message = redactor.redactText(step.error_message).toWellFormed()
  if (step.skip_reason !== undefined)
    prepared.skip_reason = redactor.redactText(step.skip_reason).toWellFormed()
  if (step.iteration) prepared.iteration = json(step.iteration)
  for (const name of ['attempts', 'mock_calls', 'redirects', 'warnings', 'scenarios_meta'] as const) {
    const part = step[name]
    if (part) Object.assign(prepared, { [name]: redactTexts(part as unknown as Json, redactor.redactText) })
  }
  return prepared
}

type Tools = { json: <T extends Json>(value: T) => T; cut: (text: string) => string }

function prepareRequest(
  request: RequestDetails,
  { json, cut, maxBytes, redactor }: Tools & { maxBytes: number; redactor: Redactor },
): RequestDetails {
  const tooLong = request.curl_command.length > maxBytes + lookahead
  const curl = tooLong ? leaveOutCommand(request.curl_command.length) : undefined
  const prepared: RequestDetails = {
    ...request,
    method: cut(request.method),
    url: cut(request.url),
    headers: json(request.headers),
    full_url: cut(request.full_url),
    curl_command: curl ?? redactor.redactSource(request.curl_command).toWellFormed(),
    raw_request: cut(request.raw_request),
    raw_url: cut(request.raw_url),
  }
  if (request.body !== undefined) prepared.body = json(request.body)
  if (request.params) prepared.params = json(request.params)
  if (request.base_url !== undefined) prepared.base_url = cut(request.base_url)
  return prepared
}

function prepareResponse(response: ResponseDetails, { json, cut }: Tools): ResponseDetails {
  return {
    ...response,
    headers: json(response.headers),
    body: json(response.body),
    raw_response: cut(response.raw_response),
  }
}

function prepareRow(row: AssertionResult, redactor: Redactor, json: Tools['json']): AssertionResult {
  const { field, expected, actual, passed, message } = row
  return {
    field: redactor.redactText(field).toWellFormed(),
    expected: json(redactor.redactField(field, expected)),
    actual: json(redactor.redactField(field, actual)),
    passed,
    message: redactor.redactText(message).toWellFormed(),
  }
}

/** Redacts the texts of one of our own structures, whose field names are not the author's. */
function redactTexts(value: Json, redactText: (text: string) => string): Json {
  if (typeof value === 'string') return redactText(value).toWellFormed()
  if (Array.isArray(value)) return value.map((item) => redactTexts(item, redactText))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, redactTexts(part, redactText)]))
}
