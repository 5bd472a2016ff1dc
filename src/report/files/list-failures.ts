import { readProblems } from '../../errors.ts'
import { quotePath } from '../../request/quote-shell.ts'
import { toText, type Json, type JsonObject } from '../../json.ts'
import type { RequestDetails, ResponseDetails, StepResult, SuiteResult } from '../../run/result.ts'
import { cutText, stringifySafely } from '../../safe-json.ts'
import { rerunCommand } from '../rerun-command.ts'
import { readSuite } from './serialise-suite.ts'

/** A check that did not hold. */
export type FailedCheck = { check: string; expected: Json; received: Json; message: string }

/** Something that failed: a step, or a suite as a whole. */
export type Failure = {
  file: string
  /** Where to look: the first check that failed, else the step. */
  line?: number
  suite: string
  step?: string
  step_id?: string
  iteration?: JsonObject
  message: string
  checks: FailedCheck[]
  request?: { method: string; url: string; body?: Json; curl?: string }
  response?: { status_code: number; content_type?: string; body: Json }
  hint?: string
  /** Runs only this step and what it needs, or finds the mistakes of the file. */
  command: string
}

/** Characters of a value that are shown. */
const EXCERPT = 2000

/** Serialises what failed in a run, suite by suite, from the result files of the suites that failed. */
export function* serialiseFailures(
  suiteFiles: readonly string[],
  errors: readonly string[],
): Generator<string> {
  yield '{\n  "version": 1,\n  "failures": ['
  let separator = ''
  for (const file of suiteFiles) {
    for (const failure of listFailures(readSuite(file))) {
      yield `${separator}\n    ${stringifySafely(failure, 2).replaceAll('\n', '\n    ')}`
      separator = ','
    }
  }
  yield `${separator && '\n  '}],\n  "errors": ${JSON.stringify(errors)}\n}\n`
}

/** Lists what failed in a suite, shortened to what one needs to repair it. */
export function listFailures(suite: SuiteResult): Failure[] {
  const failures = suite.steps_results
    .filter(({ status }) => status === 'failure')
    .map((step) => describeStep(step, suite))
  return suite.error_message === undefined
    ? failures
    : [describeWhole(suite, suite.error_message), ...failures]
}

function describeWhole({ file_path, suite_name }: SuiteResult, message: string): Failure {
  const [mistake] = readProblems(message)
  const [, file, line] = /^(\S+):(\d+):\d+: /.exec(message) ?? []
  const hint = /^ {2}hint: (.*)$/m.exec(message)?.[1]
  return {
    file: mistake?.file ?? file ?? file_path,
    ...((mistake || line) && { line: mistake?.line ?? Number(line) }),
    suite: suite_name,
    message: shorten(message),
    checks: [],
    ...(hint !== undefined && { hint }),
    command: mistake ? `npx suitecase check ${quotePath(file_path)}` : rerunCommand(file_path),
  }
}

function describeStep(step: StepResult, { file_path, suite_name }: SuiteResult): Failure {
  const { line, failed_lines, iteration, request_details: request, response_details: response } = step
  const at = failed_lines?.[0] ?? line
  const checks = step.assertions_results
    .filter(({ passed }) => !passed)
    .map(({ field, expected, actual, message }) => ({
      check: field,
      expected: shorten(expected),
      received: shorten(actual),
      message: shorten(message),
    }))
  const hint = advise(checks, response)
  return {
    file: file_path,
    ...(at !== undefined && { line: at }),
    suite: suite_name,
    step: step.step_name,
    step_id: step.qualified_step_id,
    ...(iteration && { iteration }),
    message: shorten(step.error_message ?? 'The step failed.'),
    checks,
    ...(request && { request: describeRequest(request) }),
    ...(response && { response: describeResponse(response) }),
    ...(hint !== undefined && { hint }),
    command: rerunCommand(file_path, line),
  }
}

function describeRequest({
  method,
  full_url,
  body,
  curl_command,
}: RequestDetails): NonNullable<Failure['request']> {
  return {
    method,
    url: shorten(full_url),
    ...(body !== undefined && { body: shorten(body) }),
    ...(curl_command !== undefined && curl_command.length <= 2 * EXCERPT && { curl: curl_command }),
  }
}

function describeResponse({ status_code, headers, body }: ResponseDetails): NonNullable<Failure['response']> {
  const type = headers['content-type']
  return {
    status_code,
    ...(typeof type === 'string' && { content_type: type }),
    body: shorten(body),
  }
}

/** What an answer with an unexpected status code mostly means. */
function advise(checks: readonly FailedCheck[], response: ResponseDetails | undefined): string | undefined {
  if (!response || !checks.some(({ check }) => check.startsWith('status_code'))) return undefined
  const { status_code } = response
  if (status_code >= 500) return 'The server failed: its log says why.'
  if (status_code === 401 || status_code === 403)
    return 'The server did not accept the credentials: look at `auth`, at the step that captures them, and for those in a cookie at `cookies: true` of the suite.'
  if (status_code === 404) return 'The server has nothing at this address: look at `base_url` and `url`.'
  if (status_code === 400 || status_code === 415 || status_code === 422)
    return 'The server did not accept what was sent: its answer says why.'
  return status_code === 429 ? 'The server was asked too often: lower the option `concurrency`.' : undefined
}

/** A value as it is, or the beginning of its text. */
function shorten<Value extends Json>(value: Value): Value | string {
  const text = toText(value)
  return text.length > EXCERPT ? cutText(text, EXCERPT) : value
}
