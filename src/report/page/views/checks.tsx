import type { AssertionResult } from '../../../assertion/check.ts'
import { isJsonObject } from '../../../json.ts'
import { Prose, Status } from '../parts/parts.tsx'
import { showLine, showSorted } from '../state/format.ts'
import { diffLines } from 'diff'
import { Happenings } from './step-parts.tsx'

/** Each check that failed: what was expected, what was received, and how the two differ. */
export function FailedChecks({ rows }: { rows: readonly AssertionResult[] }) {
  return (
    <>
      {rows
        .filter(({ passed }) => !passed)
        .map((row) => (
          <FailedCheck row={row} />
        ))}
    </>
  )
}

function FailedCheck({ row: { field, expected, actual, message } }: { row: AssertionResult }) {
  const isWhole = /(?:^|\.)equals$|^(?:status_code|size_bytes)$/.test(field)
  const both = [expected, actual]
  const areTexts = both.every((value) => typeof value === 'string') && both.join('').includes('\n')
  const isDiff = isWhole && (both.every(isJsonObject) || both.every(Array.isArray) || areTexts)
  const [left = '', right = ''] = both.map((value) => showSorted(value, !isDiff))
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
        <Diff expected={left} received={right} />
      ) : (
        <dl class="versus">
          <dt>Expected</dt>
          <dd class="minus">{left}</dd>
          <dt>Received</dt>
          <dd class="plus">{right}</dd>
        </dl>
      )}
    </section>
  )
}

/** The checks that held, each in a line. */
export function PassedChecks({ rows }: { rows: readonly AssertionResult[] }) {
  const passed = rows.filter((row) => row.passed)
  const isAll = passed.length === rows.length
  const items = passed.map(({ field, expected, message }) => ({
    kind: 'success' as const,
    label: <code>{field}</code>,
    text: message === 'OK' ? showLine(expected) : message,
  }))
  const note = isAll ? `all ${rows.length}` : `${passed.length} of ${rows.length}`
  return <Happenings title="Passed checks" note={note} items={items} open={isAll} />
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

/** Unchanged lines that are shown around a change. */
const around = 3

type Line = { sign: ' ' | '-' | '+' | '⋯'; text: string }

/** What differs between two texts, line by line, as long as that can be told soon. */
function Diff({ expected, received }: { expected: string; received: string }) {
  const lines = compare(expected, received)
  if (!lines) return null
  return (
    <pre class="diff" tabIndex={0} aria-label="Difference between expected and received">
      {lines.map(({ sign, text }) => (
        <span class={sign === '-' ? 'minus' : sign === '+' ? 'plus' : ''}>{`${sign} ${text}`}</span>
      ))}
    </pre>
  )
}

function compare(expected: string, received: string): Line[] | undefined {
  const changes = diffLines(`${expected}\n`, `${received}\n`, { timeout: 500 })
  return changes?.flatMap(({ added, removed, value }, index): Line[] => {
    const lines = value.replace(/\n$/, '').split('\n')
    const sign = added ? '+' : removed ? '-' : ' '
    const toLine = (text: string): Line => ({ sign, text })
    const left = lines.length - 2 * around
    if (sign !== ' ' || left <= 1) return lines.map(toLine)
    const before = index === 0 ? [] : lines.slice(0, around)
    const after = index === changes.length - 1 ? [] : lines.slice(-around)
    const gap: Line = { sign: '⋯', text: `${lines.length - before.length - after.length} equal lines` }
    return [before.map(toLine), gap, after.map(toLine)].flat()
  })
}
