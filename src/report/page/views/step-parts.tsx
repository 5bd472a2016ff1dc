import type { Attempt, BurstDetails, ResponseDetails } from '../../../run/result.ts'
import type { MockCall } from '../../../mock/mock.ts'
import type { ScenariosMeta } from '../../../scenario/scenarios-meta.ts'
import type { AuthRequest, Redirect, Timings } from '../../../request/exchange.ts'
import { formatMs } from '../../performance/format-ms.ts'
import { countOf, showLine } from '../state/format.ts'
import { Fold, Rows, type Happening } from '../parts/parts.tsx'
import type { Json } from '../../../json.ts'

type Listed<Item> = readonly Item[] | undefined

type HappeningsProps = { title: string; note?: string; items: readonly Happening[]; open?: boolean }

/** A part of a step with what happened in it; nothing when nothing did. */
export function Happenings({ title, items, note = String(items.length), open = true }: HappeningsProps) {
  if (items.length === 0) return null
  return (
    <Fold kind="section" title={title} note={note} open={open}>
      <Rows label={title} items={items} />
    </Fold>
  )
}

/** Every try of a step with `retry`, and what it was answered. */
export function Attempts({ attempts = [] }: { attempts?: Listed<Attempt> }) {
  const items = attempts.map(
    ({ attempt, status, status_code, duration_ms, delay_ms, error_message, ...exchange }): Happening => ({
      kind: status,
      ms: duration_ms,
      label: `Attempt ${attempt}: ${status_code ?? 'no answer'}${delay_ms > 0 ? ` after ${formatMs(delay_ms)}` : ''}`,
      text: error_message,
      parts: { Sent: exchange.request_details?.body, Answer: exchange.response_details?.body },
    }),
  )
  return <Happenings title="Attempts" items={items} />
}

/** Requests the application under test sent, and what answered them. */
export function MockCalls({ calls = [] }: { calls?: Listed<MockCall> }) {
  const items = calls.map(({ method, url, outcome, status_code, mock, sent, answered }): Happening => ({
    kind: outcome === 'mocked' ? 'success' : outcome === 'unhandled' ? 'failure' : 'warning',
    label: `${method} ${url}`,
    text: [outcome.replace('_', ' '), status_code, mock].filter(Boolean).join(' · '),
    parts: { Sent: sent, Answered: answered },
  }))
  return <Happenings title="Upstream calls" items={items} />
}

/** The way from the first to the last address. */
export function Redirects({ redirects = [] }: { redirects?: Listed<Redirect> }) {
  const items = redirects.map(({ status_code, method, url, location }) => ({
    label: `${status_code} ${method} ${url}`,
    text: `→ ${location}`,
  }))
  return <Happenings title="Redirects" items={items} />
}

/** What was sent to get credentials. */
export function AuthRequests({ requests = [] }: { requests?: Listed<AuthRequest> }) {
  const items = requests.map(({ method, url, status_code, duration_ms }) => ({
    ms: duration_ms,
    label: `${method} ${url}`,
    text: String(status_code ?? 'no answer'),
  }))
  return <Happenings title="Requests for credentials" items={items} />
}

/** Which branches of the step's scenarios applied. */
export function Scenarios({ meta }: { meta?: ScenariosMeta | undefined }) {
  const items = (meta?.evaluations ?? []).map(
    ({ condition, evaluated, branch, assertions_added: checks, captures_added: captures }) => ({
      label: <code>{condition}</code>,
      text:
        branch === 'none'
          ? evaluated
            ? 'did not match'
            : 'not evaluated'
          : `${branch}: ${countOf(checks, 'check')}, ${countOf(captures, 'capture')}`,
    }),
  )
  return <Happenings title="Scenarios" items={items} />
}

const phases: Partial<Record<keyof Timings, string>> = {
  blocked: 'Waiting for a connection',
  dns: 'DNS',
  connect: 'Connect',
  tls: 'TLS',
  ttfb: 'Waiting for the answer',
  download: 'Download',
  total: 'In all',
}

/** The phases of the request. */
export function Timing({ timings }: { timings?: Timings | undefined }) {
  const items = Object.entries(phases).flatMap(([name, label]) => {
    const ms = timings?.[name as keyof Timings]
    return ms === undefined ? [] : [{ ms, label }]
  })
  return <Happenings title="Timing" note={formatMs(timings?.total ?? 0)} items={items} open={false} />
}

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
