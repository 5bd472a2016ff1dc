import { adviseThreshold, describeThreshold } from '../../performance/check-thresholds.ts'
import type { Rating, SuiteBreakdown } from '../../performance/performance-report.ts'
import { ratings } from '../../performance/rate-suite.ts'
import { formatMs } from '../../../text/units.ts'
import { Callouts, Status, Table, Tiles } from '../parts/parts.tsx'
import { isFailed, type Data, type Entry, type Kind } from '../state/data.ts'
import { sortByUrgency } from '../state/filter.ts'
import { countKind, countOf, sayFlaky } from '../state/format.ts'
import { kinds, kindTable } from '../state/kinds.ts'
import { Baseline } from './baseline.tsx'
import { Entries } from './entries.tsx'

/** What became of the run: what failed first, then what deserves a look, then all suites. */
export function Overview({ data }: { data: Data }) {
  const { report, suites, steps, counts } = data
  if (suites.length === 0 && !report.errors) return <Empty />
  const entries = [...suites, ...steps]
  const missed = (report.thresholds ?? []).filter(({ passed }) => !passed)
  return (
    <article class="view" aria-label="Overview">
      {report.errors && (
        <section class="callout failure" aria-label="Errors outside of steps">
          <h2>Errors outside of steps</h2>
          {report.errors.map((error) => (
            <pre>{error}</pre>
          ))}
        </section>
      )}
      <Summary data={data} />
      {report.status === 'success' && <AllGreen data={data} />}
      <Callouts
        label="Thresholds"
        items={missed.map((one) => ({
          kind: 'failure',
          message: `Threshold not kept: ${describeThreshold(one)}. ${adviseThreshold(one)}`,
        }))}
      />
      <Entries
        title="Failed"
        items={entries.filter(isFailed).map((entry) => ({ entry, kind: 'failure', text: entry.error }))}
      />
      <Baseline data={data} />
      <Entries
        title="Flaky"
        items={steps
          .filter(({ outcome }) => outcome === 'flaky')
          .map((entry) => ({ entry, kind: 'flaky', text: sayFlaky(entry) }))}
      />
      <Entries
        title="Warnings"
        note={counts.warning}
        items={entries
          .filter(({ warnings }) => warnings)
          .map((entry) => ({ entry, kind: 'warning', text: sayWarnings(entry) }))}
      />
      <Suites data={data} />
    </article>
  )
}

function sayWarnings({ warnings = [] }: Entry): string {
  return warnings
    .map(({ message, line }) => (line === undefined ? message : `line ${line}: ${message}`))
    .join('\n')
}

function Empty() {
  return (
    <article class="view" aria-label="Overview">
      <div class="callout">
        <h2>No suite ran</h2>
        <p>
          Suites are files named <code>*.suite.yaml</code>. <code>npx vitest list</code> shows what is found;
          the option <code>include</code> says where to look.
        </p>
      </div>
    </article>
  )
}

function AllGreen({ data: { report, counts } }: { data: Data }) {
  const { totals, duration_ms } = report
  const rest = counts.skipped > 0 ? `; ${counts.skipped.toLocaleString('en')} skipped` : ''
  return (
    <div class="callout success">
      <h2>
        <Status kind="success" /> Everything passed
      </h2>
      <p>
        {countOf(totals.steps_successful, 'step')} in {countOf(totals.suites, 'suite')}, in{' '}
        {formatMs(duration_ms)}
        {rest}.
      </p>
    </div>
  )
}

/** How the steps came out. */
function Summary({ data: { counts, report, suites } }: { data: Data }) {
  const { steps, steps_failed: failed } = report.totals
  const whole = counts.failure - failed
  const notes: Partial<Record<Kind, string>> = {
    ...(whole > 0 && { failure: `${countOf(failed, 'step')}, ${countOf(whole, 'suite')} as a whole` }),
    success: `of ${countOf(steps, 'step')} in ${countOf(suites.length, 'suite')}`,
  }
  const shown = kinds.filter((kind) => kind !== 'not_run' || counts.not_run > 0)
  return (
    <Tiles
      label="Summary"
      figures={shown.map((kind) => ({
        name: kindTable[kind].name,
        value: counts[kind].toLocaleString('en'),
        note: notes[kind],
        tone: kind,
        href: `#/?status=${kind}`,
      }))}
    />
  )
}

const tones: Record<Rating, Kind> = { A: 'success', B: 'success', C: 'warning', D: 'warning', E: 'failure' }

/** All suites, those that failed first, with what they took and how they are rated. */
function Suites({ data: { suites, report } }: { data: Data }) {
  const scale = ratings.map(
    ({ rating, success, below }) => `${rating} from ${success} % and p95 below ${formatMs(below)}`,
  )
  return (
    <>
      <Table
        label="Suites"
        isTitled
        head={['Suite', '#Total', '#Steps', '#Average step', '#Success', '#Rating']}
        items={sortByUrgency(suites)}
        cells={({ number, outcome, hash, name, steps, duration_ms, success_rate }) => {
          const { average_step_ms, rating } = report.suites[number] as SuiteBreakdown
          const failed = steps.filter((step) => step.outcome === 'failure').length
          // Of nothing that ran there is nothing to praise.
          const isRated = outcome !== 'skipped'
          return [
            <>
              <Status kind={outcome} /> <a href={hash}>{name}</a>{' '}
              {failed > 0 && <span class="muted small">{countKind(failed, 'failure')}</span>}
            </>,
            formatMs(duration_ms),
            steps.length,
            formatMs(average_step_ms),
            isRated ? `${success_rate} %` : '–',
            isRated ? <b class={tones[rating]}>{rating}</b> : '–',
          ]
        }}
      />
      <p class="muted small">Rating: {scale.join('; ')}; else E.</p>
    </>
  )
}
