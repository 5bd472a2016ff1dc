import type { ComponentChildren } from 'preact'
import type { Json } from '../../../json.ts'
import type { StepResult } from '../../../run/result.ts'
import { countOf, formatMs } from '../../../text/units.ts'
import type { Kind } from '../state/data.ts'
import { Fold, Status, useFirst } from './parts.tsx'
import { showLine, Value } from './values.tsx'

/** One of the things that happened in a step: an attempt, an event, a message, a call. */
type Happening = {
  kind?: Kind
  /** When it happened, or how long it took. */
  ms?: number
  label: ComponentChildren
  text?: string | undefined
  /** What one sees when it is opened: names and bodies; those that are absent are left out. */
  parts?: Record<string, unknown>
}

type SectionProps = { title: string; note?: string; items: readonly Happening[]; isClosed?: boolean }

/** What happened in a step besides its request, in sections; nothing where nothing did. */
export function Happenings({ step }: { step: StepResult }) {
  return (
    <>
      {parts.map((part) => (
        <Section {...part(step)} />
      ))}
    </>
  )
}

function Section({ title, items, note = String(items.length), isClosed }: SectionProps) {
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

/** Reads from a step what happened in it besides its request. */
type Part = (step: StepResult) => SectionProps

const events: Part = ({ response_details: response }) => {
  const { events: received } = response ?? {}
  const items = (received ?? []).map((one): Happening => {
    if (typeof one === 'string') return { label: one }
    const { event = 'message', id = '', data, at_ms } = one
    return showData(data, `${event} ${id}`.trim(), at_ms)
  })
  return { title: 'Events', items: received?.length === 0 ? [{ label: 'None came.' }] : items }
}

/** What both sides of a WebSocket said. */
const messages: Part = ({ response_details: response }) => {
  const { messages: said = [], close_code, close_reason = '' } = response ?? {}
  const items = said.map((message): Happening => {
    if (typeof message === 'string') return { label: message }
    const { direction, type, data, at_ms } = message
    const label = direction === 'sent' ? '↑ sent' : '↓ received'
    return type === 'binary'
      ? { label, ms: at_ms, text: `binary: ${showLine(data)}` }
      : showData(data, label, at_ms)
  })
  if (close_code !== undefined) items.push({ label: `closed with ${close_code} ${close_reason}`.trim() })
  return { title: 'Messages', items }
}

/** The answers to a request that was sent many times. */
const burst: Part = ({ burst: { times = 0, concurrent = 0, responses = [] } = {} }) => {
  const codes = Map.groupBy(responses, ({ status_code }) => status_code)
  const counts = [...codes].map(([code, some]) => `${some.length} × ${code}`).join(', ')
  const slowest = responses.reduce((most, { duration_ms }) => Math.max(most, duration_ms), 0)
  return {
    title: `Burst of ${times.toLocaleString('en')}`,
    note: `${counts}; ${concurrent} at once, the slowest ${formatMs(slowest)}`,
    isClosed: true,
    items: responses.map(({ status_code, duration_ms, size_bytes, body }) => ({
      kind: status_code >= 400 ? 'failure' : 'success',
      ms: duration_ms,
      label: String(status_code),
      text: countOf(size_bytes, 'byte'),
      parts: { Answer: body },
    })),
  }
}

/** Every try of a step with `retry`. */
const attempts: Part = ({ attempts: tries = [] }) => ({
  title: 'Attempts',
  items: tries.map(({ attempt, status, status_code = 'no answer', duration_ms, delay_ms, ...rest }) => ({
    kind: status,
    ms: duration_ms,
    label: `Attempt ${attempt}: ${status_code}${delay_ms > 0 ? ` after ${formatMs(delay_ms)}` : ''}`,
    text: rest.error_message,
    parts: { Sent: rest.request_details?.body, Answer: rest.response_details?.body },
  })),
})

const passedChecks: Part = ({ assertions_results: rows }) => {
  const passed = rows.filter((row) => row.passed)
  const isAll = passed.length === rows.length
  return {
    title: 'Passed checks',
    note: isAll ? `all ${rows.length}` : `${passed.length} of ${rows.length}`,
    isClosed: !isAll,
    items: passed.map(({ field, expected, message }) => ({
      kind: 'success',
      label: <code>{field}</code>,
      text: message === 'OK' ? showLine(expected) : message,
    })),
  }
}

/** Requests the application under test sent, and what answered them. */
const mockCalls: Part = ({ mock_calls = [] }) => ({
  title: 'Upstream calls',
  items: mock_calls.map(({ method, url, outcome, status_code, mock, sent, answered }) => ({
    kind: outcome === 'mocked' ? 'success' : outcome === 'unhandled' ? 'failure' : 'warning',
    label: `${method} ${url}`,
    text: [outcome.replace('_', ' '), status_code, mock].filter(Boolean).join(' · '),
    parts: { Sent: sent, Answered: answered },
  })),
})

/** All that may have happened in a step, in the order of the view. */
const parts: readonly Part[] = [events, messages, burst, attempts, passedChecks, mockCalls]

/** Data in a line, and whole when it is opened. */
function showData(data: Json, label: string, ms: number): Happening {
  const text = showLine(data)
  return { label, ms, text, ...(text.length > 80 && { parts: { Data: data } }) }
}
