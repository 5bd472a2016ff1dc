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
