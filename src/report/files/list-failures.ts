import { readProblems } from '../../errors.ts'
import { toText, type Json } from '../../json.ts'
import type { StepResult, SuiteResult } from '../../run/result.ts'
import { cutText, stringifySafely } from '../../safe-json.ts'
import { rerunCommand } from '../rerun-command.ts'
import { readSuiteFile, type Hide } from './suite-file.ts'

const EXCERPT = 2000

/** Serialises the failures of a run, suite by suite, from the result files of failed suites. */
export function* serialiseFailures(
  suiteFiles: readonly string[],
  errors: readonly string[],
  hide: Hide,
): Generator<string> {
  yield '{\n  "version": 1,\n  "failures": ['
  let separator = ''
  for (const file of suiteFiles) {
    for (const failure of listFailures(readSuiteFile(file))) {
      yield `${separator}\n    ${stringifySafely(hide(failure), 2).replaceAll('\n', '\n    ')}`
      separator = ','
    }
  }
  yield `${separator && '\n  '}],\n  "errors": ${JSON.stringify(errors)}\n}\n`
}

/** Lists the failures of a suite, reduced to what is needed to fix them, as `failures.schema.json` describes them: first that of the suite as a whole. */
export function listFailures(suite: SuiteResult) {
  const failed = suite.steps_results.filter(({ status }) => status === 'failure')
  return [
    ...(suite.error_message === undefined ? [] : [describeWhole(suite, suite.error_message)]),
    ...failed.map((step) => describeStep(step, suite)),
  ]
}

function describeWhole({ file_path, suite_name }: SuiteResult, message: string) {
  const [mistake] = readProblems(message)
  const [, file, line] = /^(\S.*?):(\d+):\d+: /.exec(message) ?? []
  return {
    file: mistake?.file ?? file ?? file_path,
    line: mistake?.line ?? (line === undefined ? undefined : Number(line)),
    suite: suite_name,
    message: shorten(message),
    checks: [],
    hint: /^ {2}hint: (.*)$/m.exec(mistake?.text ?? message)?.[1],
    command: rerunCommand(file_path, undefined, suite_name),
  }
}

function describeStep(step: StepResult, { file_path, suite_name }: SuiteResult) {
  const { line, failed_lines, iteration, request_details: request, response_details: response } = step
  const checks = step.assertions_results
    .filter(({ passed }) => !passed)
    .map(({ field, expected, actual, message }) => ({
      check: field,
      expected: shorten(expected),
      received: shorten(actual),
      message: shorten(message),
    }))
  const curl = request?.curl_command
  const type = response?.headers['content-type']
  return {
    file: file_path,
    line: failed_lines?.[0] ?? line,
    suite: suite_name,
    step: step.step_name,
    step_id: step.qualified_step_id,
    iteration,
    message: shorten(step.error_message ?? 'The step failed.'),
    checks,
    request: request && {
      method: request.method,
      url: shorten(request.full_url),
      body: request.body === undefined ? undefined : shorten(request.body),
      curl: curl !== undefined && curl.length <= 2 * EXCERPT ? curl : undefined,
    },
    response: response && {
      status_code: response.status_code,
      content_type: typeof type === 'string' ? type : undefined,
      body: shorten(response.body),
    },
    hint: checks.some(({ check }) => check.startsWith('status_code'))
      ? hints[Math.min(response?.status_code ?? 0, 500)]
      : undefined,
    command: rerunCommand(file_path, line, suite_name),
  }
}

/** What an unexpected status code usually means. */
const hints: Record<number, string> = {
  401: 'The server rejected the credentials: check `auth` and the step that captures them; if they are in a cookie, the suite needs `cookies: true`.',
  404: 'The server has nothing at this address: check `base_url` and `url`.',
  429: 'The server got too many requests: lower the option `concurrency`.',
  // And above.
  500: 'The server failed: its log may say why.',
}

function shorten<Value extends Json>(value: Value): Value | string {
  const text = toText(value)
  return text.length > EXCERPT ? cutText(text, EXCERPT) : value
}
