import { formatMs } from '../../performance/format-ms.ts'
import type { Bucket } from '../../performance/performance-report.ts'
import type { Data } from '../state/data.ts'
import { toHash } from '../state/route.ts'

/** How many requests took how long. */
export function Histogram({ buckets }: { buckets: Bucket[] }) {
  const most = Math.max(1, ...buckets.map(({ count }) => count))
  return (
    <section class="chart">
      <h2>Response times</h2>
      <table class="bars">
        <thead class="hidden">
          <tr>
            <th>Time</th>
            <th>Share</th>
            <th>Requests</th>
            <th>Percent</th>
          </tr>
        </thead>
        <tbody>
          {buckets.map(({ label, count, percent }) => (
            <tr>
              <th scope="row">{label.replace('-', '–')}</th>
              <td class="bar">{count > 0 && <span style={{ width: `${(count / most) * 100}%` }} />}</td>
              <td>{count.toLocaleString('en')}</td>
              <td>{percent} %</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const mostBars = 8

/** The suites that took longest. */
export function SuiteChart({ data }: { data: Data }) {
  const ranked = data.suites
    .map((suite, number) => ({ suite, number }))
    .sort((a, b) => b.suite.duration_ms - a.suite.duration_ms)
  const most = Math.max(1, ranked[0]?.suite.duration_ms ?? 1)
  return (
    <section class="chart">
      <h2>
        Duration by suite
        {ranked.length > mostBars && (
          <small>
            {' '}
            {mostBars} longest of {ranked.length}
          </small>
        )}
      </h2>
      <table class="bars suites">
        <thead class="hidden">
          <tr>
            <th>Suite</th>
            <th>Share</th>
            <th>Duration</th>
          </tr>
        </thead>
        <tbody>
          {ranked.slice(0, mostBars).map(({ suite, number }) => (
            <tr>
              <th scope="row">
                <a href={toHash({ view: 'suite', suite: number }, data)}>{suite.suite_name}</a>
              </th>
              <td class={`bar ${suite.status}`}>
                <span style={{ width: `${(suite.duration_ms / most) * 100}%` }} />
              </td>
              <td>{formatMs(suite.duration_ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
