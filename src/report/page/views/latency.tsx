import { describeThreshold } from '../../performance/check-thresholds.ts'
import { formatMs } from '../../../text/units.ts'
import type { PerformanceReport } from '../../performance/performance-report.ts'
import { Callouts, Fold, Table, Tiles } from '../parts/parts.tsx'
import type { Data } from '../state/data.ts'

/** How long requests took. */
export function Latency({ data }: { data: Data }) {
  const { recommendations, thresholds = [] } = data.report
  const advice = recommendations.map(({ level, message }) => ({
    kind: level === 'warning' ? ('warning' as const) : ('success' as const),
    message,
  }))
  const kept = thresholds.map((one) => ({
    kind: one.passed ? ('success' as const) : ('failure' as const),
    message: `Threshold ${one.passed ? '' : 'not '}kept: ${describeThreshold(one)}.`,
  }))
  return (
    <article class="view" aria-label="Latency">
      <h2>Latency</h2>
      <Figures report={data.report} />
      <Callouts label="Recommendations" items={[...advice, ...kept]} />
      <Histogram report={data.report} />
      <Slowest data={data} />
    </article>
  )
}

function Figures({ report: { summary } }: { report: PerformanceReport }) {
  const { requests, requests_per_second: rate } = summary
  const digits = { maximumFractionDigits: (rate ?? 0) < 100 ? 2 : 0 }
  const note = rate === undefined ? undefined : `${rate.toLocaleString('en', digits)} per second`
  const times = {
    average: summary.average_ms,
    median: summary.median_ms,
    '95th percentile': summary.p95_ms,
    '99th percentile': summary.p99_ms,
    fastest: summary.fastest_ms,
    slowest: summary.slowest_ms,
  }
  return (
    <Tiles
      label="Figures"
      figures={[
        { name: 'requests', value: requests.toLocaleString('en'), note },
        ...Object.entries(times).map(([name, ms]) => ({
          name,
          value: ms === undefined ? '–' : formatMs(ms),
        })),
      ]}
    />
  )
}

/** How many requests took how long; on a phone one asks for it. */
function Histogram({ report: { distribution } }: { report: PerformanceReport }) {
  const most = Math.max(1, ...distribution.map(({ count }) => count))
  return (
    <Fold kind="section" title="Response times" open={matchMedia('(min-width: 861px)').matches}>
      <Table
        label="Response times"
        head={['Time', 'Share', '#Requests']}
        items={distribution}
        cells={({ label, count, percent }) => [
          label.replace('-', '–'),
          <span class="bar" style={{ width: `${(count / most) * 100}%` }} />,
          `${count.toLocaleString('en')} (${percent} %)`,
        ]}
      />
    </Fold>
  )
}

/** The ten slowest requests. */
function Slowest({ data: { report, steps } }: { data: Data }) {
  if (report.slowest.length === 0) return null
  return (
    <Table
      label="Slowest requests"
      isTitled
      head={['#', 'Step', 'Request', '#Duration', '#Status']}
      items={report.slowest}
      cells={({ rank, qualified_step_id: id, duration_ms: ms, method, path, status_code }) => {
        const step = steps.find(
          (one) => one.qualified_step_id === id && Math.abs((one.request_ms ?? -1) - ms) < 0.01,
        )
        return [
          rank,
          step && <a href={step.hash}>{step.name}</a>,
          <>
            <b>{method}</b> <code>{path}</code>
          </>,
          formatMs(ms),
          status_code ?? 'no response',
        ]
      }}
    />
  )
}
