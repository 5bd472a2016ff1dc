import { structuredPatch } from 'diff'
import type { AssertionResult } from '../../../assertion/check.ts'
import { canonicalText } from '../../../compare-json.ts'
import { isJsonObject, parseJson, stringifyJson } from '../../../json.ts'
import { Prose, Status, useFirst } from './parts.tsx'
import { Pairs, formatValue } from './values.tsx'

export function CheckFailure(check: AssertionResult) {
  const { field, expected, actual, message } = check
  const lines = compare(check)
  const [shown, more] = useFirst(lines, 400)
  // Our message about a single value only repeats what is shown below, unless it is about one response of a burst or a check from another file.
  const isTold =
    /^Expected `.*, (?:got|but it does)\b/.test(message) && !/[;\n]|\((?:response \d|from )/.test(message)
  // In these checks, a text is the value itself; in others, it describes what is expected.
  const isValue = typeof expected !== 'string' || /\.(?:equals|contains)$/.test(field)
  const both = { Expected: isValue ? show(expected) : expected, Received: show(actual) }
  return (
    <section class="callout failure" aria-label={`Failed check ${field}`}>
      <h3>
        <Status kind="failure" /> <code>{field}</code>{' '}
        {lines.length > 0 && <small>- expected, + received</small>}
      </h3>
      {lines.length > 0 ? (
        <>
          <pre class="diff" tabIndex={0} role="group" aria-label="Difference: - expected, + received">
            {shown.map((line) => (
              <span class={line.startsWith('-') ? 'minus' : line.startsWith('+') ? 'plus' : ''}>{line}</span>
            ))}
          </pre>
          {more}
        </>
      ) : (
        <>
          {!isTold && (
            <p class="message" tabIndex={message.length > 500 ? 0 : undefined}>
              <Prose text={message} />
            </p>
          )}
          {field !== 'mocks' && <Pairs label={field} value={both} />}
        </>
      )}
    </section>
  )
}

/** Formats multi-line text as it is, anything else as JSON with sorted keys, so that texts and numbers can be told apart. */
function show(value: AssertionResult['actual']): string {
  const isLine = typeof value === 'string' && !value.includes('\n')
  return formatValue(isLine ? stringifyJson(value) : parseJson(canonicalText(value)))
}

/** Lines that differ, with signs and three lines of context; none if the check is not on a whole value, nothing differs, or comparing takes too long. */
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

/** What a step's message says besides the failed checks, such as about a capture, request or mock. */
export function readRest(message: string, rows: readonly AssertionResult[]): string {
  let rest = `${message}\n`
  for (const row of rows) {
    // A line that goes on after the message says more, such as what a condition read, so it stays.
    const at = row.passed ? -1 : rest.indexOf(`${row.message}\n`)
    // The field of the check may precede its message on the line, and is removed too.
    if (at !== -1)
      rest = rest.slice(0, rest.lastIndexOf('\n', at) + 1) + rest.slice(at + row.message.length + 1)
  }
  return rest.trim()
}
