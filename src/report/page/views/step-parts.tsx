import type { ComponentChildren } from 'preact'
import type { Json } from '../../../json.ts'
import type { BurstDetails, StepResult } from '../../../run/result.ts'
import { countOf, formatMs } from '../../../text/units.ts'
import type { Kind } from '../state/data.ts'
import { showLine } from '../state/text.ts'
import { Value } from './code.tsx'
import { Fold, Status, useFirst } from './parts.tsx'

/** One of the things that happened in a step: an attempt, an event, a message, a call. */
type Happening = {
  kind?: Kind
  /** When it happened, or how long it took. */
  ms?: number
  label: ComponentChildren
  text?: string | undefined
  /** What one sees when it is opened; what is absent is left out. */
  parts?: Record<string, Json | undefined>
}

type HappeningsProps = { title: string; note?: string; items: readonly Happening[]; isClosed?: boolean }

/** All that happened in a step besides its request; what did not happen is left out. */
export function Parts({ step }: { step: StepResult }) {
  const { assertions_results: rows, attempts = [], mock_calls = [], burst } = step
  const passed = rows.filter((row) => row.passed)
  return (
    <>
      <Happenings title="Events" items={readEvents(step)} />
      <Happenings title="Messages" items={readMessages(step)} />
      {burst && <Burst {...burst} />}
      <Happenings
        title="Attempts"
        items={attempts.map(({ attempt, status_code = 'no answer', delay_ms, ...rest }) => ({
          kind: rest.status,
          ms: rest.duration_ms,
          label: `Attempt ${attempt}: ${status_code}${delay_ms > 0 ? ` after ${formatMs(delay_ms)}` : ''}`,
          text: rest.error_message,
          parts: { Sent: rest.request_details?.body, Answer: rest.response_details?.body },
        }))}
      />
      <Happenings
        title="Passed checks"
        note={passed.length === rows.length ? `all ${rows.length}` : `${passed.length} of ${rows.length}`}
        isClosed={passed.length < rows.length}
        items={passed.map(({ field, expected, message }) => ({
          kind: 'success',
          label: <code>{field}</code>,
          text: message === 'OK' ? showLine(expected) : message,
        }))}
      />
      <Happenings
        title="Upstream calls"
        items={mock_calls.map(({ method, url, outcome, status_code, mock, sent, answered }) => ({
          kind: outcome === 'mocked' ? 'success' : outcome === 'unhandled' ? 'failure' : 'warning',
          label: `${method} ${url}`,
          text: [outcome.replace('_', ' '), status_code, mock].filter(Boolean).join(' · '),
          parts: { Sent: sent, Answered: answered },
        }))}
      />
    </>
  )
}

/** The answers to a request that was sent many times. */
function Burst({ times, concurrent, responses }: BurstDetails) {
  const codes = Map.groupBy(responses, ({ status_code }) => status_code)
  const counts = [...codes].map(([code, some]) => `${some.length} × ${code}`).join(', ')
  const slowest = responses.reduce((most, { duration_ms }) => Math.max(most, duration_ms), 0)
  return (
    <Happenings
      title={`Burst of ${times.toLocaleString('en')}`}
      note={`${counts}; ${concurrent} at once, the slowest ${formatMs(slowest)}`}
      isClosed
      items={responses.map(({ status_code, duration_ms, size_bytes, body }) => ({
        kind: status_code >= 400 ? 'failure' : 'success',
        ms: duration_ms,
        label: String(status_code),
        text: countOf(size_bytes, 'byte'),
        parts: { Answer: body },
      }))}
    />
  )
}

function readEvents({ response_details: response }: StepResult): Happening[] {
  const { events } = response ?? {}
  if (events?.length === 0) return [{ label: 'None came.' }]
  return (events ?? []).map((one) => {
    if (typeof one === 'string') return { label: one }
    const { event = 'message', id = '', data, at_ms } = one
    return showData(data, `${event} ${id}`.trim(), at_ms)
  })
}

/** What both sides of a WebSocket said. */
function readMessages({ response_details: response }: StepResult): Happening[] {
  const { messages = [], close_code, close_reason = '' } = response ?? {}
  const said = messages.map((one) => {
    if (typeof one === 'string') return { label: one }
    const { direction, type, data, at_ms } = one
    const shown = type === 'binary' ? `binary: ${showLine(data)}` : data
    return showData(shown, direction === 'sent' ? '↑ sent' : '↓ received', at_ms)
  })
  const end = `closed with ${close_code} ${close_reason}`.trim()
  return close_code === undefined ? said : [...said, { label: end }]
}

/** Data in a line, and whole when it is opened. */
function showData(data: Json, label: string, ms: number): Happening {
  const text = showLine(data)
  return { label, ms, text, parts: { Data: text.length > 80 ? data : undefined } }
}

function Happenings({ title, items, note = String(items.length), isClosed = false }: HappeningsProps) {
  const [shown, rest] = useFirst(items)
  if (items.length === 0) return null
  return (
    <Fold title={title} note={note} open={!isClosed}>
      <ol class="rows" aria-label={title}>
        {shown.map((item) => (
          <li>
            <Row {...item} />
          </li>
        ))}
      </ol>
      {rest}
    </Fold>
  )
}

function Row({ kind, ms, label, text, parts = {} }: Happening) {
  const shown = Object.entries(parts).filter(([, value]) => value !== undefined)
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
