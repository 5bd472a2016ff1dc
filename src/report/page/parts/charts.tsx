import { formatMs } from '../../performance/format-ms.ts'
import type { Bucket } from '../../performance/performance-report.ts'
import type { Data, StepEntry } from '../state/data.ts'
import { Fold, Table } from './parts.tsx'

/** How many requests took how long. */
export function Histogram({ buckets, open }: { buckets: readonly Bucket[]; open: boolean }) {
  const most = Math.max(1, ...buckets.map(({ count }) => count))
  return (
    <Fold kind="section" title="Response times" open={open}>
      <table class="bars">
        <thead class="hidden">
          <tr>
            <th>Time</th>
            <th>Share</th>
            <th>Requests</th>
          </tr>
        </thead>
        <tbody>
          {buckets.map(({ label, count, percent }) => (
            <tr>
              <th scope="row">{label.replace('-', '–')}</th>
              <td class="bar">
                <span style={{ width: `${(count / most) * 100}%` }} />
              </td>
              <td>
                {count.toLocaleString('en')} ({percent} %)
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Fold>
  )
}

/** Labelled lines of the logarithmic axis, in ms. */
const decades = [1, 10, 100, 1000, 10_000, 100_000]

/** Every request of the run: when it was sent and how long it took. */
export function TimeChart({ data: { suites, steps }, open }: { data: Data; open: boolean }) {
  const first = suites.reduce((least, { start }) => (start > 0 ? Math.min(least, start) : least), Infinity)
  const sent = steps.filter((step) => step.request_ms !== undefined && step.start !== undefined)
  if (sent.length === 0) return null
  const end = sent.reduce((last, step) => Math.max(last, (step.start as number) - first), 1)
  const slowest = sent.reduce((most, step) => Math.max(most, step.request_ms as number), 1)
  const top = decades.find((decade) => decade >= slowest) ?? slowest
  const height = (ms: number): number =>
    100 - (Math.log10(Math.max(ms, 0.5) / 0.5) / Math.log10(top / 0.5)) * 100
  // A line of no length with round ends is a dot, however far the drawing is stretched.
  const dots = (some: readonly StepEntry[]): string =>
    some
      .map(({ start, request_ms }) => {
        const x = 1 + ((start as number) - first) * (98 / end)
        return `M${x.toFixed(2)} ${height(request_ms as number).toFixed(2)}h0`
      })
      .join('')
  const [failed, passed] = [true, false].map((isFailed) =>
    sent.filter(({ status }) => (status === 'failure') === isFailed),
  ) as [StepEntry[], StepEntry[]]
  return (
    <Fold kind="section" title="Requests over the run" note={`${formatMs(end)}, one dot each`} open={open}>
      <div class="scatter">
        {decades
          .filter((decade) => decade <= top)
          .map((decade) => (
            <span style={{ top: `${height(decade)}%` }}>{formatMs(decade)}</span>
          ))}
        <svg
          viewBox="0 0 100 100"
          preserveAspectRatio="none"
          role="img"
          aria-label="Every request by the time it was sent and how long it took; the same figures are in the tables."
        >
          <path class="success" d={dots(passed)} />
          <path class="failure" d={dots(failed)} />
        </svg>
      </div>
    </Fold>
  )
}

/** The ten slowest requests. */
export function Slowest({ data: { report, steps } }: { data: Data }) {
  if (report.slowest.length === 0) return null
  const find = (id: string, ms: number): StepEntry | undefined =>
    steps.find((step) => step.qualified_step_id === id && Math.abs((step.request_ms ?? -1) - ms) < 0.01)
  return (
    <section>
      <h2>Slowest requests</h2>
      <Table label="Slowest requests" head={['#', 'Step', 'Request', '#Duration', '#Status']}>
        {report.slowest.map((request) => (
          <tr>
            <td class="number">{request.rank}</td>
            <td>
              <StepLink step={find(request.qualified_step_id, request.duration_ms)} />
            </td>
            <td>
              <b class="method">{request.method}</b> <span class="path">{request.path}</span>
            </td>
            <td class="number">{formatMs(request.duration_ms)}</td>
            <td class="number">{request.status_code ?? 'no response'}</td>
          </tr>
        ))}
      </Table>
    </section>
  )
}

function StepLink({ step }: { step: StepEntry | undefined }) {
  return step ? <a href={step.hash}>{step.name}</a> : null
}
