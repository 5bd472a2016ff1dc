import type { AssertionResult } from '../assertion/check.ts'
import type { Json, JsonObject } from '../json.ts'
import type { MockCall } from '../mock/mock.ts'
import type { ResultWarning } from '../errors.ts'
import type {
  AuthRequest,
  ConnectionNote,
  Redirect,
  SocketMessage,
  StreamEvent,
  Timings,
} from '../request/exchange.ts'
import type { ScenariosMeta } from '../scenario/scenarios-meta.ts'

/** Outcome of a step or suite; `not_run` is a step the run never reached (interrupt, crash, bail). */
export type ResultStatus = 'success' | 'failure' | 'skipped' | 'not_run'

/** The request of a step as result files show it (redacted, bodies cut). Absent values are absent. */
export type RequestDetails = {
  method: string
  url: string
  headers: Record<string, string>
  body?: Json
  /** Query parameters, only if the step sent them as an object. */
  params?: JsonObject
  base_url?: string
  full_url: string
  /** Made where results are reported, as `raw_request` is. */
  curl_command?: string
  raw_request?: string
  /** `{{base_url}}` plus the url before interpolation. */
  raw_url: string
}

/** The response of a step as result files show it. */
export type ResponseDetails = {
  status_code: number
  headers: Record<string, string | string[]>
  body: Json
  size_bytes: number
  /** Body bytes on the wire. */
  transfer_bytes: number
  /** The events of a stream, and after how many ms the first one came. Reports have a text instead of what was cut. */
  events?: StreamEvent[]
  first_event_ms?: number
  /** The messages of a WebSocket, cut likewise, and how it was closed. */
  messages?: SocketMessage[]
  close_code?: number
  close_reason?: string
  /** Made where results are reported. */
  raw_response?: string
}

/** The answers of a burst, in the order their requests were sent; those that got none are not there. */
export type BurstDetails = {
  times: number
  concurrent: number
  /** Which of the answers `response_details` has, counted from 0. */
  shown: number
  responses: BurstAnswer[]
}

/** One of the answers; `at_ms` is when its request was sent, after the first one. */
export type BurstAnswer = {
  at_ms: number
  status_code: number
  duration_ms: number
  size_bytes: number
  body: Json
}

/** One attempt of a step with `retry`. */
export type Attempt = {
  attempt: number
  start_time: string
  duration_ms: number
  /** Wait before this attempt in ms. */
  delay_ms: number
  status: 'success' | 'failure'
  status_code?: number
  error_message?: string
  /** What was sent and answered; not of the last attempt, whose are those of the step, nor after the 20th, nor of answers above 64 KB. */
  request_details?: RequestDetails
  response_details?: ResponseDetails
}

/** Result of one step; field names are those of the result files. */
export type StepResult = {
  step_id: string
  qualified_step_id: string
  step_name: string
  status: ResultStatus
  /** It passed, but not the first time; repeating until something holds (`retry.until`) is not flaky. */
  flaky?: true
  /** UTC, ISO 8601; absent when the step did not run. */
  start_time?: string
  duration_ms: number
  request_details?: RequestDetails
  response_details?: ResponseDetails
  assertions_results: AssertionResult[]
  captured_variables: JsonObject
  available_variables: JsonObject
  scenarios_meta?: ScenariosMeta
  burst?: BurstDetails
  timings?: Timings
  redirects?: Redirect[]
  /** What is unusual about the connection: a proxy, a certificate that was not verified, HTTP/2. */
  connection?: ConnectionNote
  /** Requests that were sent for credentials: token requests, the one that a digest challenge answered. */
  auth_requests?: AuthRequest[]
  attempts?: Attempt[]
  mock_calls?: MockCall[]
  warnings?: ResultWarning[]
  error_message?: string
  skip_reason?: string
  /** Row or loop values of an iterated step. */
  iteration?: JsonObject
  /** 1-based line of the step in its file. */
  line?: number
  /** 1-based lines of the file that the failures point at, ascending. */
  failed_lines?: number[]
}

/** Result of one suite file (or one row of its `each`), fields and order as in result files. */
export type SuiteResult = {
  node_id: string
  suite_name: string
  /** Relative to the root, with forward slashes. */
  file_path: string
  priority: string
  /** UTC, ISO 8601. */
  start_time: string
  end_time: string
  duration_ms: number
  status: ResultStatus
  steps_executed: number
  steps_successful: number
  steps_failed: number
  steps_skipped: number
  steps_not_run: number
  success_rate: number
  steps_results: StepResult[]
  variables_captured: JsonObject
  available_variables: JsonObject
  suite_yaml_content: string
  tags?: string[]
  /** Why the suite as a whole failed (did not load, set-up failed, worker died). */
  error_message?: string
  warnings?: ResultWarning[]
  /** Seed of generated data, when the suite used any. */
  seed?: number
}
