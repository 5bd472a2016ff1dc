import { structuredPatch } from 'diff'
import type { AssertionResult } from '../../../assertion/check.ts'
import { isJsonObject } from '../../../json.ts'
import { Prose, Status } from '../parts/parts.tsx'
import { countOf, showSorted } from '../state/format.ts'

/** A check that failed: what was expected, what was received, and how the two differ. */
export function FailedCheck({ field, expected, actual, message }: AssertionResult) {
  const isWhole = /(?:^|\.)equals$|^(?:status_code|size_bytes)$/.test(field)
  const both = [expected, actual]
  const areTexts = both.every((value) => typeof value === 'string') && both.join('').includes('\n')
  const isLong = isWhole && (both.every(isJsonObject) || both.every(Array.isArray) || areTexts)
  const [left = '', right = ''] = both.map((value) => showSorted(value, !isLong))
  const lines = isLong ? compare(left, right) : []
  const isDiff = lines.length > 0
  // Our own sentence about single values says what is below it.
  const isTold = message.startsWith('Expected `') && !/[;\n]|different type/.test(message)
  return (
    <section class="callout failure check" aria-label={`Failed check ${field}`}>
      <h3>
        <Status kind="failure" /> <code>{field}</code>
        {isDiff && (
          <small>
            <span class="minus">- expected</span> <span class="plus">+ received</span>
          </small>
        )}
      </h3>
      {!isTold && !isDiff && (
        <p class="message">
          <Prose text={message} />
        </p>
      )}
      {isDiff ? (
        <pre class="diff" tabIndex={0} aria-label="Difference between expected and received">
          {lines.map((line) => (
            <span class={line.startsWith('-') ? 'minus' : line.startsWith('+') ? 'plus' : ''}>{line}</span>
          ))}
        </pre>
      ) : (
        <dl class="pairs versus">
          <dt>Expected</dt>
          <dd class="minus">{left}</dd>
          <dt>Received</dt>
          <dd class="plus">{right}</dd>
        </dl>
      )}
    </section>
  )
}

/** Lines that differ, with their signs and three lines around; none when nothing differs or it takes too long to tell. */
function compare(expected: string, received: string): string[] {
  const options = { context: 3, timeout: 500 }
  const { hunks } = structuredPatch('', '', `${expected}\n`, `${received}\n`, '', '', options) ?? {
    hunks: [],
  }
  const lines: string[] = []
  let next = 1
  const leaveOut = (end: number): unknown =>
    end > next && lines.push(`⋯ ${countOf(end - next, 'equal line')}`)
  for (const hunk of hunks) {
    leaveOut(hunk.oldStart)
    lines.push(...hunk.lines.map((line) => `${line[0]} ${line.slice(1)}`))
    next = hunk.oldStart + hunk.oldLines
  }
  if (lines.length > 0) leaveOut(expected.split('\n').length + 1)
  return lines
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
