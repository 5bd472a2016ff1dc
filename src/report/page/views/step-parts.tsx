import type { ComponentChildren } from 'preact'
import type { Attempt, AuthRequest } from '../../../run/result.ts'
import type { MockCall } from '../../../mock/mock.ts'
import type { ScenariosMeta } from '../../../scenario/evaluate-scenarios.ts'
import type { ConnectionNote, Redirect, Timings } from '../../../request/exchange.ts'
import { formatMs } from '../../performance/format-ms.ts'
import { countOf } from '../state/format.ts'
import { StatusIcon } from '../parts/icons.tsx'
import { Scroll, Section } from '../parts/parts.tsx'

const phases = [
  ['dns', 'DNS'],
  ['connect', 'Connect'],
  ['tls', 'TLS'],
  ['ttfb', 'Waiting'],
  ['download', 'Download'],
] as const

/** The phases of the request, in proportion. */
export function TimingBar({ timings }: { timings: Timings }) {
  const shown = phases.filter(([name]) => timings[name] !== undefined)
  const total = Math.max(timings.total, 0.001)
  return (
    <Section title="Timing" note={formatMs(timings.total)}>
      <div class="timing" aria-hidden="true">
        {shown.map(([name]) => (
          <span class={`phase ${name}`} style={{ width: `${((timings[name] as number) / total) * 100}%` }} />
        ))}
      </div>
      <ul class="legend">
        {shown.map(([name, label]) => (
          <li>
            <i class={`phase ${name}`} /> {label} <b>{formatMs(timings[name] as number)}</b>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Every try of a step with `retry`. */
export function Attempts({ attempts = [] }: { attempts?: readonly Attempt[] | undefined }) {
  if (attempts.length === 0) return null
  return (
    <Section title="Attempts" note={countOf(attempts.length, 'attempt')}>
      <Table head={['#', 'Result', 'Waited', 'Duration', 'Status', 'Message']}>
        {attempts.map((one) => (
          <tr>
            <td>{one.attempt}</td>
            <td>
              <StatusIcon status={one.status} />
            </td>
            <td>{formatMs(one.delay_ms)}</td>
            <td>{formatMs(one.duration_ms)}</td>
            <td>{one.status_code ?? '–'}</td>
            <td class="message">{one.error_message ?? ''}</td>
          </tr>
        ))}
      </Table>
    </Section>
  )
}

/** The way from the first to the last address. */
export function Redirects({ redirects = [] }: { redirects?: readonly Redirect[] | undefined }) {
  if (redirects.length === 0) return null
  return (
    <Section title="Redirects" note={countOf(redirects.length, 'redirect')}>
      <Table head={['Status', 'From', 'To']}>
        {redirects.map((one) => (
          <tr>
            <td>{one.status_code}</td>
            <td class="mono">
              {one.method} {one.url}
            </td>
            <td class="mono">{one.location}</td>
          </tr>
        ))}
      </Table>
    </Section>
  )
}

/** What is unusual about the connection. */
export function Connection({ note }: { note?: ConnectionNote | undefined }) {
  if (note === undefined) return null
  return (
    <p>
      {note.proxy !== undefined && `Sent through the proxy ${note.proxy}. `}
      {note.insecure && 'The certificate of the server was not verified (`insecure`).'}
    </p>
  )
}

/** What was sent to get credentials. */
export function AuthRequests({ requests = [] }: { requests?: readonly AuthRequest[] | undefined }) {
  if (requests.length === 0) return null
  return (
    <Section title="Requests for credentials" note={countOf(requests.length, 'request')}>
      <Table head={['Status', 'Request', 'Duration']}>
        {requests.map((one) => (
          <tr>
            <td>{one.status_code ?? ''}</td>
            <td class="mono">
              {one.method} {one.url}
            </td>
            <td>{one.duration_ms} ms</td>
          </tr>
        ))}
      </Table>
    </Section>
  )
}

/** Which branches of the step's scenarios applied. */
export function Scenarios({ meta }: { meta?: ScenariosMeta | undefined }) {
  if (!meta?.has_scenarios) return null
  return (
    <Section title="Scenarios" note={`${meta.executed_count} executed`}>
      <Table head={['#', 'Condition', 'Matched', 'Branch', 'Assertions', 'Captures']}>
        {meta.evaluations.map((one) => (
          <tr class={one.executed ? '' : 'idle'}>
            <td>{one.index}</td>
            <td class="mono">{one.condition}</td>
            <td>{one.evaluated ? (one.matched ? 'yes' : 'no') : 'not evaluated'}</td>
            <td>{one.branch}</td>
            <td>{one.assertions_added}</td>
            <td>{one.captures_added}</td>
          </tr>
        ))}
      </Table>
    </Section>
  )
}

/** Requests the application under test sent, and what answered them. */
export function MockCalls({ calls = [] }: { calls?: readonly MockCall[] | undefined }) {
  if (calls.length === 0) return null
  return (
    <Section title="Upstream calls" note={countOf(calls.length, 'call')}>
      <Table head={['Request', 'Outcome', 'Status', 'Mock']}>
        {calls.map((one) => (
          <tr class={one.outcome === 'unhandled' ? 'failed' : ''}>
            <td class="mono">
              {one.method} {one.url}
            </td>
            <td>{one.outcome.replace('_', ' ')}</td>
            <td>{one.status_code ?? '–'}</td>
            <td class="mono">{one.mock ?? '–'}</td>
          </tr>
        ))}
      </Table>
    </Section>
  )
}

function Table({ head, children }: { head: readonly string[]; children: ComponentChildren }) {
  return (
    <Scroll label={head.join(', ')}>
      <table class="grid">
        <thead>
          <tr>
            {head.map((name) => (
              <th>{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </Scroll>
  )
}
