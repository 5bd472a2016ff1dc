import type { Json, JsonObject } from '../json.ts'
import type { HeaderLines } from '../request/exchange.ts'
import type { Attempt, RequestDetails, ResponseDetails, StepResult } from '../run/result.ts'

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
export type PackedRequest = Omit<RequestDetails, 'headers' | 'body' | 'curl_command' | 'raw_request'> &
  PackedBody & { file?: string }

/** The response of a step on its way to the reporter. */
export type PackedResponse = Omit<ResponseDetails, 'headers' | 'body' | 'raw_response'> &
  PackedBody & { statusText: string; httpVersion: string }

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
