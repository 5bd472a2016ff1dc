import { formatMs } from '../../../text/units.ts'
import { isStep, type Data } from '../state/data.ts'
import { Bar, Callouts, Table, Tiles } from './parts.tsx'

/** How long requests took: figures, distribution, the ten slowest. */
export function Latency({ data: { report, entries } }: { data: Data }) {
  const { summary, recommendations, distribution, slowest } = report
  if (summary.requests === 0) return null
  const times = {
    average: summary.average_ms,
    median: summary.median_ms,
    '95th percentile': summary.p95_ms,
    '99th percentile': summary.p99_ms,
    fastest: summary.fastest_ms,
    slowest: summary.slowest_ms,
  }
  const rate = summary.requests_per_second?.toLocaleString('en', { maximumSignificantDigits: 4 })
  const most = Math.max(...distribution.map(({ count }) => count))
  return (
    <section>
      <h2>Latency</h2>
      <Tiles
        label="Figures"
        figures={[
          { name: 'requests', value: summary.requests.toLocaleString('en'), note: `${rate} per second` },
          ...Object.entries(times).map(([name, ms = 0]) => ({ name, value: formatMs(ms) })),
        ]}
      />
      <Callouts
        label="Recommendations"
        items={recommendations.map(({ level, message }) => ({
          kind: level === 'warning' ? 'warning' : 'success',
          message,
        }))}
      />
      <Table
        label="Response times"
        head={['Time', 'Share', '#Requests']}
        items={distribution}
        cells={({ label, count, percent }) => [
          label.replace('-', '–'),
          <Bar size={count / most} />,
          `${count.toLocaleString('en')} (${percent} %)`,
        ]}
      />
      <Table
        label="Slowest requests"
        head={['#', 'Slowest step', 'Request', '#Duration', '#Status']}
        items={slowest}
        cells={({ rank, qualified_step_id: id, duration_ms: ms, method, path, status_code }) => {
          const step = entries.find(
            (one) =>
              isStep(one) && one.qualified_step_id === id && Math.abs((one.request_ms ?? -1) - ms) < 0.01,
          )
          return [
            rank,
            step && <a href={step.hash}>{step.name}</a>,
            <code>
              {method} {path}
            </code>,
            formatMs(ms),
            status_code ?? 'no response',
          ]
        }}
      />
    </section>
  )
}
