import { describeThreshold } from '../../performance/check-thresholds.ts'
import { formatMs } from '../../performance/format-ms.ts'
import type { PerformanceReport, Rating, Bucket } from '../../performance/performance-report.ts'
import { ratings } from '../../performance/rate-suite.ts'
import { Many, Prose, Table, Tiles, Fold } from '../parts/parts.tsx'
import type { Data, Kind, StepEntry } from '../state/data.ts'

/** How long requests took. */
export function Latency({ data }: { data: Data }) {
  // On a phone one asks for charts.
  const open = matchMedia('(min-width: 861px)').matches
  return (
    <article class="view" aria-label="Latency">
      <h2 class="title">Latency</h2>
      <Figures report={data.report} />
      <Advice report={data.report} />
      <Histogram buckets={data.report.distribution} open={open} />
      <Slowest data={data} />
      <Breakdown data={data} />
    </article>
  )
}

function Figures({ report: { summary } }: { report: PerformanceReport }) {
  const rate = summary.requests_per_second
  const digits = { maximumFractionDigits: (rate ?? 0) < 100 ? 2 : 0 }
  return (
    <Tiles
      label="Figures"
      figures={[
        {
          name: 'requests',
          value: summary.requests.toLocaleString('en'),
          note: rate === undefined ? undefined : `${rate.toLocaleString('en', digits)} per second`,
        },
        { name: 'average', value: ms(summary.average_ms) },
        { name: 'median', value: ms(summary.median_ms) },
        { name: '95th percentile', value: ms(summary.p95_ms) },
        { name: '99th percentile', value: ms(summary.p99_ms) },
        { name: 'fastest', value: ms(summary.fastest_ms) },
        { name: 'slowest', value: ms(summary.slowest_ms) },
      ]}
    />
  )
}

function ms(value: number | undefined): string {
  return value === undefined ? '–' : formatMs(value)
}

function Advice({ report: { recommendations, thresholds = [] } }: { report: PerformanceReport }) {
  const kept = thresholds.map((one) => ({
    tone: one.passed ? 'success' : 'failure',
    text: `Threshold ${one.passed ? '' : 'not '}kept: ${describeThreshold(one)}.`,
  }))
  const advice = recommendations.map(({ level, message }) => ({
    tone: level === 'warning' ? 'warning' : 'success',
    text: message,
  }))
  if (kept.length + advice.length === 0) return null
  return (
    <ul class="callouts" aria-label="Recommendations">
      {[...advice, ...kept].map(({ tone, text }) => (
        <li class={`callout ${tone}`}>
          <Prose text={text} />
        </li>
      ))}
    </ul>
  )
}

const tones: Record<Rating, Kind> = {
  A: 'success',
  B: 'success',
  C: 'warning',
  D: 'warning',
  E: 'failure',
}

function Breakdown({ data: { report, suites } }: { data: Data }) {
  return (
    <section>
      <h2>Suites</h2>
      <Table label="Suites" head={['Suite', '#Total', '#Steps', '#Average step', '#Success', '#Rating']}>
        <Many
          inTable
          items={report.suites}
          render={(suite, number) => (
            <tr>
              <td>
                <a href={suites[number]?.hash ?? '#/'}>{suites[number]?.suite_name}</a>
              </td>
              <td class="number">{formatMs(suite.total_duration_ms)}</td>
              <td class="number">{suite.steps}</td>
              <td class="number">{formatMs(suite.average_step_ms)}</td>
              <td class="number">{suite.success_rate} %</td>
              <td class="number">
                <b class={tones[suite.rating]}>{suite.rating}</b>
              </td>
            </tr>
          )}
        />
      </Table>
      <p class="muted small">
        Rating:{' '}
        {ratings
          .map(({ rating, success, below }) => `${rating} from ${success} % and p95 below ${formatMs(below)}`)
          .join('; ')}
        ; else E.
      </p>
    </section>
  )
}

/** How many requests took how long. */
function Histogram({ buckets, open }: { buckets: readonly Bucket[]; open: boolean }) {
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
function Slowest({ data: { report, steps } }: { data: Data }) {
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
