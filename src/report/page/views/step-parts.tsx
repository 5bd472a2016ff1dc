import type { Attempt } from '../../../run/result.ts'
import type { MockCall } from '../../../mock/mock.ts'
import type { ScenariosMeta } from '../../../scenario/scenarios-meta.ts'
import type { AuthRequest, Redirect, Timings } from '../../../request/exchange.ts'
import { formatMs } from '../../performance/format-ms.ts'
import { countOf } from '../state/format.ts'
import { Fold } from '../parts/parts.tsx'
import { Rows, type Happening } from '../parts/rows.tsx'

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
