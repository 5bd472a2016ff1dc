import { adviseThreshold, describeThreshold } from '../../performance/check-thresholds.ts'
import { formatMs } from '../../performance/format-ms.ts'
import type { PerformanceReport } from '../../performance/performance-report.ts'
import { Histogram, SuiteChart } from '../parts/charts.tsx'
import type { Data } from '../state/data.ts'
import { countOf } from '../state/format.ts'
import { Tile } from '../parts/parts.tsx'
import { Prose } from '../parts/prose.tsx'
import { TimeChart } from '../parts/time-chart.tsx'
import { Failures } from './failures.tsx'
import { Warnings } from './suite-view.tsx'
import { Breakdown, Slowest } from './tables.tsx'

/** What the run was like over all: tiles, charts, slowest requests, suites. */
export function Overview({ data }: { data: Data }) {
  const { report } = data
  return (
    <article class="view" aria-label="Overview">
      <Problems report={report} />
      <div class="summary">
        <Shares report={report} />
        <Tiles report={report} />
      </div>
      <Advice report={report} />
      <Failures data={data} />
      <RunWarnings data={data} />
      <div class="charts">
        <Histogram buckets={report.distribution} />
        <SuiteChart data={data} />
        <TimeChart data={data} />
      </div>
      <Slowest data={data} />
      <Breakdown data={data} />
    </article>
  )
}

/** Warnings of all suites that the overview lists. */
const mostWarnings = 50

function RunWarnings({ data: { suites } }: { data: Data }) {
  const warnings = suites.flatMap(({ file_path, warnings: own = [] }) =>
    own.map(({ message, line }) => ({ message: `${file_path}:${line} ${message}` })),
  )
  if (warnings.length === 0) return null
  return (
    <section>
      <h2>
        Warnings <small>{warnings.length}</small>
      </h2>
      <Warnings warnings={warnings.slice(0, mostWarnings)} />
    </section>
  )
}

function Problems({ report: { errors = [] } }: { report: PerformanceReport }) {
  if (errors.length === 0) return null
  return (
    <section class="problem" aria-label="Errors outside of steps">
      <h2>Errors outside of steps</h2>
      {errors.map((error) => (
        <pre>{error}</pre>
      ))}
    </section>
  )
}

/** How the steps came out, in proportion; the figures are in the tiles. */
function Shares({ report: { totals } }: { report: PerformanceReport }) {
  const shares = [
    ['failure', totals.steps_failed],
    ['not_run', totals.steps_not_run],
    ['skipped', totals.steps_skipped],
    ['success', totals.steps_successful],
  ] as const
  return (
    <div class="shares" aria-hidden="true">
      {shares.map(([status, count]) => count > 0 && <span class={status} style={{ flexGrow: count }} />)}
    </div>
  )
}

function Tiles({ report: { totals, summary } }: { report: PerformanceReport }) {
  const failed = totals.steps_failed + totals.steps_not_run
  const rate = summary.requests_per_second
  return (
    <dl class="tiles" aria-label="Summary">
      <Tile
        name="Passed"
        value={totals.steps_successful.toLocaleString('en')}
        note={`of ${countOf(totals.steps, 'step')}`}
        tone={failed === 0 && totals.steps > 0 ? 'good' : ''}
      />
      <Tile
        name="Failed"
        value={totals.steps_failed.toLocaleString('en')}
        note={describeRest(totals)}
        tone={failed > 0 ? 'bad' : ''}
      />
      <Tile name="Average" value={ms(summary.average_ms)} note={`median ${ms(summary.median_ms)}`} />
      <Tile name="95th percentile" value={ms(summary.p95_ms)} note={`99th ${ms(summary.p99_ms)}`} />
      <Tile name="Fastest" value={ms(summary.fastest_ms)} />
      <Tile name="Slowest" value={ms(summary.slowest_ms)} />
      <Tile
        name="Requests"
        value={summary.requests.toLocaleString('en')}
        {...(rate === undefined
          ? {}
          : {
              note: `${rate.toLocaleString('en', { maximumFractionDigits: rate < 100 ? 2 : 0 })} per second`,
            })}
      />
    </dl>
  )
}

function ms(value: number | undefined): string {
  return value === undefined ? '–' : formatMs(value)
}

function describeRest({ steps_skipped, steps_not_run }: PerformanceReport['totals']): string {
  const parts = [
    steps_skipped > 0 ? `${steps_skipped.toLocaleString('en')} skipped` : '',
    steps_not_run > 0 ? `${steps_not_run.toLocaleString('en')} not run` : '',
  ]
  return parts.filter(Boolean).join(', ')
}

function Advice({ report: { recommendations, thresholds = [] } }: { report: PerformanceReport }) {
  if (recommendations.length + thresholds.length === 0) return null
  return (
    <ul class="advice" aria-label="Recommendations">
      {recommendations.map(({ level, message }) => (
        <li class={level === 'warning' ? 'warn' : 'good'}>
          <Prose text={message} />
        </li>
      ))}
      {thresholds.map((one) => (
        <li class={one.passed ? 'good' : 'bad'}>
          <Prose
            text={
              one.passed
                ? `Threshold kept: ${describeThreshold(one)}.`
                : `Threshold not kept: ${describeThreshold(one)}. ${adviseThreshold(one)}`
            }
          />
        </li>
      ))}
    </ul>
  )
}
