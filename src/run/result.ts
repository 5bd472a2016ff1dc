import type { AssertionResult } from '../assertion/check.ts'
import type { Json, JsonObject } from '../json.ts'
import type { MockCall } from '../mock/mock.ts'
import type { ResultWarning } from '../errors.ts'
import type {
  CredentialRequest,
  ConnectionNote,
  Redirect,
  SocketMessage,
  StreamEvent,
  Timings,
} from '../request/exchange.ts'
import type { ScenariosMeta } from '../scenario/scenarios-meta.ts'

/** Status of a step or suite; `not_run` is a step the run never reached (interrupt, crash, bail). */
export type ResultStatus = 'success' | 'failure' | 'skipped' | 'not_run'

/** A request as result files show it (redacted, bodies cut). */
export type RequestDetails = {
  method: string
  url: string
  headers: Record<string, string>
  body?: Json
  /** Query parameters, only if the step has them as `params`. */
  params?: JsonObject
  base_url?: string
  full_url: string
  /** Added when results are reported, like `raw_request`. */
  curl_command?: string
  raw_request?: string
  /** `{{base_url}}` plus the URL before interpolation. */
  raw_url: string
}

export type ResponseDetails = {
  status_code: number
  headers: Record<string, string | string[]>
  body: Json
  size_bytes: number
  /** Bytes of the body on the wire. */
  transfer_bytes: number
  /** The events of a stream, and when the first one came. In reports, a text may stand for events that were cut. */
  events?: StreamEvent[]
  first_event_ms?: number
  /** The messages of a WebSocket, cut in the same way, and how it was closed. */
  messages?: SocketMessage[]
  close_code?: number
  close_reason?: string
  raw_response?: string
}

/** The responses of a burst, in the order of their requests; requests without a response are left out. */
export type BurstDetails = {
  times: number
  concurrent: number
  /** Index, from 0, of the response in `response_details`. */
  shown: number
  /** `at_ms` is how long after the first one its request was sent. */
  responses: (Pick<ResponseDetails, 'status_code' | 'size_bytes' | 'body'> &
    Record<'at_ms' | 'duration_ms', number>)[]
}

export type Attempt = {
  attempt: number
  start_time: string
  duration_ms: number
  /** ms waited before this attempt. */
  delay_ms: number
  status: 'success' | 'failure'
  status_code?: number
  error_message?: string
  /** Details of the exchange. Not for the last attempt (the step has them), after the 20th, or for responses above 64 KB. */
  request_details?: RequestDetails
  response_details?: ResponseDetails
}

/** Result of a step; field names are those of the result files. */
export type StepResult = {
  step_id: string
  qualified_step_id: string
  step_name: string
  status: ResultStatus
  /** True if it passed, but not at once; repeating until something holds (`retry.until`) is not flaky. */
  flaky?: true
  /** UTC, ISO 8601; absent if the step did not run. */
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
  /** Anything unusual about the connection: a proxy, an unverified certificate, HTTP/2. */
  connection?: ConnectionNote
  /** Requests sent to get credentials: for tokens, or answered with a Digest challenge. */
  auth_requests?: CredentialRequest[]
  attempts?: Attempt[]
  mock_calls?: MockCall[]
  warnings?: ResultWarning[]
  error_message?: string
  skip_reason?: string
  iteration?: JsonObject
  /** 1-based line of the step in its file. */
  line?: number
  /** 1-based lines the failures point at, ascending. */
  failed_lines?: number[]
}

/** Result of a suite file (or of one row of its `each`); fields and their order are those of result files. */
export type SuiteResult = {
  node_id: string
  suite_name: string
  /** Relative to the project root, with forward slashes. */
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
  /** Why the whole suite failed (did not load, set-up failed, worker died). */
  error_message?: string
  warnings?: ResultWarning[]
  /** Seed of generated data, if the suite used any. */
  seed?: number
}
