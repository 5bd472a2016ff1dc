import type { AssertionResult } from '../../../assertion/check.ts'
import { escapeControlInLines } from '../../../escape-control.ts'
import { diffLines } from '../state/diff-lines.ts'
import { showValue } from '../state/format.ts'
import { StatusIcon } from '../parts/icons.tsx'
import { Scroll, Section } from '../parts/parts.tsx'
import { Prose } from '../parts/prose.tsx'

/** The checks of a step; failed ones with what differs. */
export function Assertions({ rows }: { rows: readonly AssertionResult[] }) {
  const failed = rows.filter(({ passed }) => !passed).length
  if (rows.length === 0) return null
  const note = failed === 0 ? `all ${rows.length} passed` : `${failed} of ${rows.length} failed`
  return (
    <Section title="Assertions" note={note}>
      <Scroll label="Assertions">
        <table class="grid assertions">
          <thead>
            <tr>
              <th>
                <span class="hidden">Result</span>
              </th>
              <th>Field</th>
              <th>Expected</th>
              <th>Actual</th>
              <th>Message</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row row={row} />
            ))}
          </tbody>
        </table>
      </Scroll>
    </Section>
  )
}

function Row({ row }: { row: AssertionResult }) {
  const expected = escapeControlInLines(showValue(row.expected))
  const actual = escapeControlInLines(showValue(row.actual))
  const long = `${expected}${actual}`.includes('\n') || expected.length + actual.length > 160
  return (
    <>
      <tr class={row.passed ? '' : 'failed'}>
        <td>
          <StatusIcon status={row.passed ? 'success' : 'failure'} />
        </td>
        <td class="mono">{row.field}</td>
        <td class="mono value" data-name="expected">
          {shorten(expected)}
        </td>
        <td class="mono value" data-name="actual">
          {shorten(actual)}
        </td>
        <td class="message">
          {row.message === 'OK' ? <span class="muted">OK</span> : <Prose text={row.message} />}
        </td>
      </tr>
      {!row.passed && long && (
        <tr class="diff-row">
          <td colSpan={5}>
            <Diff expected={expected} actual={actual} />
          </td>
        </tr>
      )}
    </>
  )
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > 120 ? `${line.slice(0, 119)}…` : line
}

function Diff({ expected, actual }: { expected: string; actual: string }) {
  return (
    <pre class="diff" tabIndex={0} aria-label="Difference between expected and actual">
      <span class="minus">- expected</span>
      <span class="plus">+ actual</span>
      {diffLines(expected, actual).map(({ sign, text }) => (
        <span class={sign === '-' ? 'minus' : sign === '+' ? 'plus' : ''}>{`${sign} ${text}`}</span>
      ))}
    </pre>
  )
}
