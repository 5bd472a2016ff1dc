import { formatMs } from '../../performance/format-ms.ts'
import type { SlowRequest } from '../../performance/performance-report.ts'
import { ratings } from '../../performance/rate-suite.ts'
import type { Data } from '../state/data.ts'
import { StatusIcon } from '../parts/icons.tsx'
import { Scroll } from '../parts/parts.tsx'
import { toHash } from '../state/route.ts'

/** The ten slowest requests. */
export function Slowest({ data }: { data: Data }) {
  const { slowest } = data.report
  if (slowest.length === 0) return null
  return (
    <section>
      <h2>Slowest requests</h2>
      <Scroll label="Slowest requests">
        <table class="grid">
          <thead>
            <tr>
              <th class="number">#</th>
              <th>Step</th>
              <th>Request</th>
              <th class="number">Duration</th>
              <th class="number">Status</th>
            </tr>
          </thead>
          <tbody>
            {slowest.map((request) => (
              <tr>
                <td class="number">{request.rank}</td>
                <td>
                  <StatusIcon status={request.status} />{' '}
                  <a href={findHash(request, data)}>{request.step_name}</a>
                </td>
                <td>
                  <b class="method">{request.method}</b> <span class="path">{request.path}</span>
                </td>
                <td class="number">{formatMs(request.duration_ms)}</td>
                <td class="number">{request.status_code ?? 'no response'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  )
}

function findHash(request: SlowRequest, data: Data): string {
  const step = data.steps
    .flat()
    .find(({ id, request: time }) => id === request.qualified_step_id && time === request.duration_ms)
  return step ? toHash({ view: 'step', suite: step.suite, place: step.place }, data) : '#/'
}

/** The figures of every suite. */
export function Breakdown({ data }: { data: Data }) {
  return (
    <section>
      <h2>Suites</h2>
      <Scroll label="Suites">
        <table class="grid">
          <thead>
            <tr>
              <th>Suite</th>
              <th class="number">Total</th>
              <th class="number">Steps</th>
              <th class="number">Average step</th>
              <th class="number">Success</th>
              <th class="number">Rating</th>
            </tr>
          </thead>
          <tbody>
            {data.report.suites.slice(0, 500).map((suite, number) => (
              <tr>
                <td>
                  <StatusIcon status={suite.status} />{' '}
                  <a href={toHash({ view: 'suite', suite: number }, data)}>{suite.suite_name}</a>
                </td>
                <td class="number">{formatMs(suite.total_duration_ms)}</td>
                <td class="number">{suite.steps}</td>
                <td class="number">{formatMs(suite.average_step_ms)}</td>
                <td class="number">{suite.success_rate} %</td>
                <td class="number">
                  <span class={`rating ${suite.rating}`}>{suite.rating}</span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <p class="muted small">
        {data.suites.length > 500 && `The first 500 of ${data.suites.length} suites; all are in the list. `}
        Rating:{' '}
        {ratings
          .map(({ rating, success, below }) => `${rating} from ${success} % and p95 below ${formatMs(below)}`)
          .join('; ')}
        ; else E.
      </p>
    </section>
  )
}
