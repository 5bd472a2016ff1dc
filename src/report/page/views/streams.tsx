import type { Json } from '../../../json.ts'
import type { BurstDetails, ResponseDetails } from '../../../run/result.ts'
import { formatMs } from '../../performance/format-ms.ts'
import { Fold } from '../parts/parts.tsx'
import { Rows, type Happening } from '../parts/rows.tsx'
import { countOf, showLine } from '../state/format.ts'
import { Happenings } from './step-parts.tsx'

/** An event of a stream; a text in its place says how many were cut. */
type StreamEvent = { event?: string; data?: Json; id?: string; at_ms: number } | string

/** The events of a stream, each with the time it came. */
export function Events({ response }: { response: ResponseDetails }) {
  if (!response.events) return null
  const events = response.events as unknown as StreamEvent[]
  const times = events.flatMap((event) => (typeof event === 'string' ? [] : event.at_ms))
  const end = Math.max(1, ...times)
  const items = events.map((one): Happening => {
    if (typeof one === 'string') return { label: one }
    const { event = 'message', id, data = null, at_ms } = one
    return Object.assign(showData(data), { ms: at_ms, label: id === undefined ? event : `${event} ${id}` })
  })
  const first = response.first_event_ms
  const note = `${countOf(times.length, 'event')}${first === undefined ? '' : `, the first after ${formatMs(first)}`}`
  return (
    <Fold kind="section" title="Events" note={note} open>
      <div class="moments" aria-hidden="true">
        {times.map((ms) => (
          <i style={{ left: `${(ms / end) * 100}%` }} />
        ))}
      </div>
      <Rows label="Events" items={items} />
    </Fold>
  )
}

/** What both sides of a WebSocket said. */
export function Messages({ response }: { response: ResponseDetails }) {
  const { messages = [], close_code, close_reason = '' } = response
  const items = messages.map((message): Happening => {
    if (typeof message === 'string') return { label: message }
    const { direction, type, data, at_ms } = message
    return {
      ms: at_ms,
      label: direction === 'sent' ? '↑ sent' : '↓ received',
      ...(type === 'binary' ? { text: `binary: ${showLine(data)}` } : showData(data)),
    }
  })
  if (close_code !== undefined) items.push({ label: `closed with ${close_code} ${close_reason}`.trim() })
  return <Happenings title="Messages" note={countOf(messages.length, 'message')} items={items} />
}

/** The answers to a request that was sent many times: one row that opens. */
export function Burst({ burst }: { burst?: BurstDetails | undefined }) {
  if (!burst) return null
  const { times, concurrent, responses } = burst
  const codes = Map.groupBy(responses, ({ status_code }) => status_code)
  const counts = [...codes].map(([code, some]) => `${some.length} × ${code}`).join(', ')
  const slowest = responses.reduce((most, { duration_ms }) => Math.max(most, duration_ms), 0)
  const items = responses.map(({ status_code, duration_ms, size_bytes, body }) => ({
    kind: status_code >= 400 ? ('failure' as const) : ('success' as const),
    ms: duration_ms,
    label: String(status_code),
    text: countOf(size_bytes, 'byte'),
    parts: { Answer: body },
  }))
  const note = `${counts}; ${concurrent} at once, the slowest ${formatMs(slowest)}`
  return (
    <Fold kind="section" title={`Burst of ${times.toLocaleString('en')}`} note={note}>
      <Rows label="Answers" items={items} />
    </Fold>
  )
}

/** Data in a line, and whole when it is opened. */
function showData(data: Json): Pick<Happening, 'text' | 'parts'> {
  const text = showLine(data)
  return { text, ...(text.length > 80 && { parts: { Data: data } }) }
}
