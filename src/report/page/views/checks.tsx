import { structuredPatch } from 'diff'
import type { AssertionResult } from '../../../assertion/check.ts'
import { canonicalText } from '../../../compare-json.ts'
import { isJsonObject, parseJson, stringifyJson } from '../../../json.ts'
import { Prose, Status } from './parts.tsx'
import { Pairs, showValue } from './values.tsx'

/** A check that failed: what was expected, what was received, and how the two differ. */
export function FailedCheck(check: AssertionResult) {
  const { field, expected, actual, message } = check
  const lines = compare(check)
  // Our own sentence about single values says what is below it, unless it is about one answer of a burst.
  const isTold = message.startsWith('Expected `') && !/[;\n]|different type|\(response \d/.test(message)
  // A text is the value itself in these checks; in others it says in words what is wanted.
  const isValue = typeof expected !== 'string' || /\.(?:equals|contains)$/.test(field)
  const both = { Expected: isValue ? show(expected) : expected, Received: show(actual) }
  return (
    <section class="callout failure" aria-label={`Failed check ${field}`}>
      <h3>
        <Status kind="failure" /> <code>{field}</code>{' '}
        {lines.length > 0 && <small>- expected, + received</small>}
      </h3>
      {lines.length > 0 ? (
        <pre class="diff" tabIndex={0} aria-label="Difference: - expected, + received">
          {lines.map((line) => (
            <span class={line.startsWith('-') ? 'minus' : line.startsWith('+') ? 'plus' : ''}>{line}</span>
          ))}
        </pre>
      ) : (
        <>
          {!isTold && (
            <p class="message">
              <Prose text={message} />
            </p>
          )}
          {field !== 'mocks' && <Pairs label={field} value={both} />}
        </>
      )}
    </section>
  )
}

/** Text in several lines as it is, all else as JSON with its keys in order: a text and a number can be told apart. */
function show(value: AssertionResult['actual']): string {
  const isLine = typeof value === 'string' && !value.includes('\n')
  return showValue(isLine ? stringifyJson(value) : parseJson(canonicalText(value)))
}

/** Lines that differ, with their signs and three lines around; none when the check is not about the whole value, nothing differs or it takes too long to tell. */
function compare({ field, expected, actual }: AssertionResult): string[] {
  const both = [expected, actual]
  const areTexts = both.every((value) => typeof value === 'string') && both.join('').includes('\n')
  if (!/(?:^|\.)equals$/.test(field) || !(areTexts || both.every(isJsonObject) || both.every(Array.isArray)))
    return []
  const options = { context: 3, timeout: 500 }
  const patch = structuredPatch('', '', `${show(expected)}\n`, `${show(actual)}\n`, '', '', options)
  return (patch?.hunks ?? []).flatMap(({ oldStart, lines }) =>
    (oldStart > 1 ? ['⋯'] : []).concat(lines.map((line) => `${line[0]} ${line.slice(1)}`)),
  )
}

/** What of a step's message no failed check says: that of a capture, a request, a mock. */
export function readRest(message: string, rows: readonly AssertionResult[]): string {
  let rest = `${message}\n`
  for (const row of rows) {
    // A line that goes on behind it tells more, such as what a condition read, and stays.
    const at = row.passed ? -1 : rest.indexOf(`${row.message}\n`)
    // The place of the check is before its message, on the same line.
    if (at !== -1)
      rest = rest.slice(0, rest.lastIndexOf('\n', at) + 1) + rest.slice(at + row.message.length + 1)
  }
  return rest.trim()
}
