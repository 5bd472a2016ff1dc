import type { ComponentChildren } from 'preact'
import type { StepResult } from '../../../run/result.ts'
import { cut } from '../../../text/show-value.ts'
import { countOf, formatMs } from '../../../text/units.ts'
import type { Kind } from '../state/data.ts'
import { colourOf } from './exchange.tsx'
import { Fold, Status, Table } from './parts.tsx'
import { Recorded, showLine, Value } from './values.tsx'

export function Happenings({ step }: { step: StepResult }) {
  return [Events, Messages, Burst, Attempts, PassedChecks, MockCalls].map((Part) => <Part {...step} />)
}

type HappeningProps = {
  kind?: Kind
  /** When it happened, or how long it took, in ms. */
  ms?: number
  label: ComponentChildren
  text?: string | undefined
  /** Details shown when opened, by name; absent and empty ones are left out. */
  parts?: Record<string, unknown>
}

/** Something that happened in a step, as a line that can be opened if there are details. */
function Happening({ kind, ms, label, text, parts = {} }: HappeningProps) {
  const shown = Object.entries(parts).filter(([, value]) => value !== undefined && value !== '')
  const line = (
    <>
      {ms !== undefined && <small>{formatMs(ms)} </small>}
      {kind && <Status kind={kind} />} {label} {text && <code class="muted">{text}</code>}
    </>
  )
  if (shown.length === 0) return line
  return (
    <Fold title={line}>
      {shown.map(([name, value]) => (
        <>
          <h4>{name}</h4>
          <Value value={value} label={name} />
        </>
      ))}
    </Fold>
  )
}

/** The events of a stream; a text stands for those that were cut. */
function Events({ response_details: response }: StepResult) {
  const items = response?.events?.map((one) => {
    if (typeof one === 'string') return one
    const { event = 'message', id = '', data, at_ms } = one
    return (
      <Happening label={`${event} ${id}`.trim()} ms={at_ms} text={showLine(data)} parts={{ Data: data }} />
    )
  })
  return (
    <Recorded
      title="Events"
      note={String(items?.length)}
      value={items?.length === 0 ? ['None received.'] : items}
      open
    />
  )
}

function Messages({ response_details: response }: StepResult) {
  const { messages = [], close_code, close_reason = '' } = response ?? {}
  const items = messages.map((message): ComponentChildren => {
    if (typeof message === 'string') return message
    const { direction, type, data, at_ms } = message
    const label = direction === 'sent' ? '↑ sent' : '↓ received'
    if (type === 'binary') return <Happening label={label} ms={at_ms} text={`binary: ${showLine(data)}`} />
    return <Happening label={label} ms={at_ms} text={showLine(data)} parts={{ Data: data }} />
  })
  if (close_code !== undefined) items.push(`closed with ${close_code} ${close_reason}`.trim())
  return <Recorded title="Messages" note={String(messages.length)} value={items} open />
}

function Burst({ burst }: StepResult) {
  if (!burst) return null
  const { times, concurrent, responses } = burst
  const codes = Map.groupBy(responses, ({ status_code }) => status_code)
  const counts = [...codes].map(([code, some]) => `${some.length} × ${code}`).join(', ')
  const slowest = responses.reduce((most, { duration_ms }) => Math.max(most, duration_ms), 0)
  return (
    <Recorded
      title={`Burst of ${times.toLocaleString('en')}`}
      note={`${counts}; ${concurrent} at once, the slowest ${formatMs(slowest)}`}
      value={responses.map(({ status_code, duration_ms, size_bytes, body }) => (
        <Happening
          ms={duration_ms}
          label={<b class={colourOf(status_code)}>{status_code}</b>}
          text={countOf(size_bytes, 'byte')}
          parts={{ Response: body }}
        />
      ))}
    />
  )
}

function Attempts({ attempts = [] }: StepResult) {
  const items = attempts.map(
    ({ attempt, status, status_code = 'no response', duration_ms, delay_ms, ...rest }) => (
      <Happening
        kind={status}
        ms={duration_ms}
        label={`Attempt ${attempt}: ${status_code}${delay_ms > 0 ? ` after ${formatMs(delay_ms)}` : ''}`}
        text={rest.error_message}
        parts={{ Sent: rest.request_details?.body, Response: rest.response_details?.body }}
      />
    ),
  )
  return <Recorded title="Attempts" value={items} open />
}

function PassedChecks({ assertions_results: rows }: StepResult) {
  const passed = rows.filter((row) => row.passed)
  if (passed.length === 0) return null
  const isAll = passed.length === rows.length
  return (
    <Fold
      title="Passed checks"
      note={isAll ? `all ${rows.length}` : `${passed.length} of ${rows.length}`}
      open={isAll}
    >
      <Table
        label="Passed checks"
        head={['Check', 'Expected', 'Received']}
        rows={passed.map(({ field, expected, actual }) =>
          [field, cut(showLine(expected)), cut(showLine(actual))].map((text) => <code>{text}</code>),
        )}
      />
    </Fold>
  )
}

/** Requests sent by the application under test, and what answered them. */
function MockCalls({ mock_calls = [] }: StepResult) {
  const items = mock_calls.map(({ method, url, outcome, status_code, mock, sent, answered }) => (
    <Happening
      kind={outcome === 'mocked' ? 'success' : outcome === 'unhandled' ? 'failure' : 'warning'}
      label={`${method} ${url}`}
      text={[outcome.replace('_', ' '), status_code, mock].filter(Boolean).join(' · ')}
      parts={{ Sent: sent, Response: answered }}
    />
  ))
  return <Recorded title="Upstream calls" value={items} open />
}
