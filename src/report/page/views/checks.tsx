import { structuredPatch } from 'diff'
import type { AssertionResult } from '../../../assertion/check.ts'
import { isJsonObject, stringifyJson } from '../../../json.ts'
import { showValue, sortKeys } from '../state/text.ts'
import { Prose, Status } from './parts.tsx'

/** A check that failed: what was expected, what was received, and how the two differ. */
export function FailedCheck({ field, expected, actual, message }: AssertionResult) {
  const lines = compare({ field, expected, actual })
  // Our own sentence about single values says what is below it, unless it is about one answer of a burst.
  const isTold = message.startsWith('Expected `') && !/[;\n]|different type|\(response \d/.test(message)
  return (
    <section class="callout failure" aria-label={`Failed check ${field}`}>
      <h3>
        <Status kind="failure" /> <code>{field}</code>
      </h3>
      {!isTold && lines.length === 0 && (
        <p class="message">
          <Prose text={message} />
        </p>
      )}
      {lines.length > 0 ? (
        <pre class="diff" tabIndex={0} aria-label="Difference: - expected, + received">
          {lines.map((line) => (
            <span class={line.startsWith('-') ? 'minus' : line.startsWith('+') ? 'plus' : ''}>{line}</span>
          ))}
        </pre>
      ) : (
        <dl class="pairs">
          <dt>Expected</dt>
          <dd class="minus">{show(expected)}</dd>
          <dt>Received</dt>
          <dd class="plus">{show(actual)}</dd>
        </dl>
      )}
    </section>
  )
}

/** Text in several lines as it is, all else as JSON with its keys in order: a text and a number can be told apart. */
function show(value: AssertionResult['actual']): string {
  if (typeof value === 'string') return showValue(value.includes('\n') ? value : stringifyJson(value))
  return showValue(sortKeys(value))
}

/** Lines that differ, with their signs and three lines around; none when the check is not about the whole value, nothing differs or it takes too long to tell. */
function compare({
  field,
  expected,
  actual,
}: Pick<AssertionResult, 'field' | 'expected' | 'actual'>): string[] {
  const both = [expected, actual]
  const areTexts = both.every((value) => typeof value === 'string') && both.join('').includes('\n')
  if (!/(?:^|\.)equals$/.test(field) || !(areTexts || both.every(isJsonObject) || both.every(Array.isArray)))
    return []
  const patch = structuredPatch('', '', `${show(expected)}\n`, `${show(actual)}\n`, '', '', {
    context: 3,
    timeout: 500,
  })
  return (patch?.hunks ?? []).flatMap(({ oldStart, lines }) => {
    const shown = lines.map((line) => `${line[0]} ${line.slice(1)}`)
    if (oldStart > 1) shown.unshift('⋯')
    return shown
  })
}

/** What of a step's message no failed check says: that of a capture, a request, a mock. */
export function readRest(message: string, rows: readonly AssertionResult[]): string {
  let rest = message
  for (const row of rows) {
    const at = row.passed ? -1 : rest.indexOf(row.message)
    // The place of the check is before its message, on the same line.
    if (at !== -1) rest = rest.slice(0, rest.lastIndexOf('\n', at) + 1) + rest.slice(at + row.message.length)
  }
  return rest.trim()
}
