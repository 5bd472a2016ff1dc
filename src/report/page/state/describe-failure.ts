import type { StepResult } from '../../../run/result.ts'
import { showSorted, showValue } from './format.ts'

/** A failed step as Markdown, for an issue, a chat or an agent. */
export function describeFailure({
  file,
  name,
  step,
}: {
  file: string
  name: string
  step: StepResult
}): string {
  const { request_details: request, response_details: response } = step
  const checks = step.assertions_results
    .filter(({ passed }) => !passed)
    .map(({ field, expected, actual }) =>
      [`- \`${field}\``, `  expected: ${showSorted(expected)}`, `  received: ${showSorted(actual)}`].join(
        '\n',
      ),
    )
  return [
    `**${name}** failed (${file})`,
    fence(step.error_message ?? ''),
    checks.join('\n'),
    request?.curl_command === undefined ? '' : fence(request.curl_command),
    response ? `Answer: ${response.status_code}\n${fence(showValue(response.body))}` : '',
    `Run again: \`npx vitest run ${file}\``,
  ]
    .filter(Boolean)
    .join('\n\n')
}

function fence(text: string): string {
  return text === '' ? '' : `\`\`\`\n${text.length > 4000 ? `${text.slice(0, 4000)}…` : text}\n\`\`\``
}
