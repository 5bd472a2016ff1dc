import { adviseThreshold, describeThreshold } from '../../performance/check-thresholds.ts'
import { formatMs } from '../../performance/format-ms.ts'
import type { PerformanceReport } from '../../performance/performance-report.ts'
import type { Data, Kind, StepEntry, SuiteEntry } from '../state/data.ts'
import { sortByUrgency } from '../state/filter.ts'
import { countOf, kindNames, sayFlaky } from '../state/format.ts'
import { Baseline } from './baseline.tsx'
import { Many, Prose, Status, Table, Tiles } from '../parts/parts.tsx'

/** What became of the run: what failed first, then what deserves a look, then all suites. */
export function Overview({ data }: { data: Data }) {
  const { report, suites, steps } = data
  if (suites.length === 0 && !report.errors) return <Empty />
  const listSteps = (kind: Kind): StepEntry[] => steps.filter(({ outcome }) => outcome === kind)
  const failed = [...suites.filter(({ error }) => error !== undefined), ...listSteps('failure')]
  const warned = [...suites, ...steps].filter(({ warnings }) => warnings !== undefined)
  return (
    <article class="view" aria-label="Overview">
      <Errors report={report} />
      <div class="summary">
        <Shares data={data} />
        <KindTiles data={data} />
      </div>
      {report.status === 'success' && <AllGreen data={data} />}
      <Thresholds report={report} />
      <Entries title="Failed" kind="failure" entries={failed} say={({ error }) => error} />
      <Baseline data={data} />
      <Entries title="Flaky" kind="flaky" entries={listSteps('flaky')} say={sayFlaky} />
      <Entries
        title="Warnings"
        kind="warning"
        count={data.counts.warning}
        entries={warned}
        say={sayWarnings}
      />
      <Suites data={data} />
    </article>
  )
}

function sayWarnings({ warnings = [] }: StepEntry | SuiteEntry): string {
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
          Suites are files named <code class="tick">*.suite.yaml</code>.{' '}
          <code class="tick">npx vitest list</code> shows what is found; the option{' '}
          <code class="tick">include</code> says where to look.
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

function Errors({ report: { errors = [] } }: { report: PerformanceReport }) {
  if (errors.length === 0) return null
  return (
    <section class="callout failure" aria-label="Errors outside of steps">
      <h2>Errors outside of steps</h2>
      {errors.map((error) => (
        <pre>{error}</pre>
      ))}
    </section>
  )
}

/** How the steps came out, in proportion; the figures are in the tiles. */
function Shares({ data: { counts } }: { data: Data }) {
  const kinds: Kind[] = ['failure', 'flaky', 'not_run', 'skipped', 'success']
  return (
    <div class="shares" aria-hidden="true">
      {kinds.map((kind) => counts[kind] > 0 && <span class={kind} style={{ flexGrow: counts[kind] }} />)}
    </div>
  )
}

function KindTiles({ data: { counts, report, suites } }: { data: Data }) {
  const whole = counts.failure - report.totals.steps_failed
  const steps = countOf(report.totals.steps_failed, 'step')
  const notes: Partial<Record<Kind, string>> = {
    ...(whole > 0 && { failure: `${steps}, ${countOf(whole, 'suite')} as a whole` }),
    success: `of ${countOf(report.totals.steps, 'step')} in ${countOf(suites.length, 'suite')}`,
  }
  const shown = (Object.keys(kindNames) as Kind[]).filter((kind) => kind !== 'not_run' || counts.not_run > 0)
  return (
    <Tiles
      label="Summary"
      figures={shown.map((kind) => ({
        name: kindNames[kind],
        value: counts[kind].toLocaleString('en'),
        note: notes[kind],
        tone: kind,
        href: `#/?status=${kind}`,
      }))}
    />
  )
}

function Thresholds({ report: { thresholds = [] } }: { report: PerformanceReport }) {
  const missed = thresholds.filter(({ passed }) => !passed)
  if (missed.length === 0) return null
  return (
    <ul class="callouts" aria-label="Thresholds">
      {missed.map((one) => (
        <li class="callout failure">
          <Prose text={`Threshold not kept: ${describeThreshold(one)}. ${adviseThreshold(one)}`} />
        </li>
      ))}
    </ul>
  )
}

type EntriesProps<Entry> = {
  title: string
  kind: Kind
  entries: readonly Entry[]
  /** When an entry can stand for several. */
  count?: number
  say: (entry: Entry) => string | undefined
}

const mostShown = 20

/** Steps and suites with what is to be said of each. */
function Entries<Entry extends StepEntry | SuiteEntry>({
  title,
  kind,
  entries,
  count = entries.length,
  say,
}: EntriesProps<Entry>) {
  if (entries.length === 0) return null
  return (
    <section>
      <h2>
        {title} <small>{count.toLocaleString('en')}</small>
      </h2>
      <ul class={`entries ${kind}`}>
        <Many
          items={entries}
          most={mostShown}
          render={(entry) => (
            <li>
              <a href={entry.hash}>
                <Status kind={kind} />
                <EntryText entry={entry} text={say(entry) ?? ''} />
              </a>
            </li>
          )}
        />
      </ul>
    </section>
  )
}

function EntryText({ entry, text }: { entry: StepEntry | SuiteEntry; text: string }) {
  const suite = 'place' in entry ? entry.suite : entry
  const line = 'place' in entry ? (entry.failed_line ?? entry.line) : undefined
  return (
    <span>
      <b>{'place' in entry ? entry.name : entry.suite_name}</b>
      {'place' in entry && <small>{suite.suite_name}</small>}
      <small class="file">{line === undefined ? suite.file_path : `${suite.file_path}:${line}`}</small>
      {text !== '' && <span class="why">{text}</span>}
    </span>
  )
}

function Suites({ data: { suites, counts } }: { data: Data }) {
  const kinds = (['failure', 'flaky', 'skipped', 'success'] as const).filter((kind) => counts[kind] > 0)
  return (
    <section>
      <h2>Suites</h2>
      <Table label="Suites" head={['Suite', ...kinds.map((kind) => `#${kindNames[kind]}`), '#duration']}>
        <Many
          inTable
          items={sortByUrgency(suites)}
          render={(suite) => (
            <tr>
              <td>
                <Status kind={suite.outcome} /> <a href={suite.hash}>{suite.suite_name}</a>
              </td>
              {kinds.map((kind) => (
                <td class={`number ${kind}`}>{countSteps(suite, kind)}</td>
              ))}
              <td class="number">{formatMs(suite.duration_ms)}</td>
            </tr>
          )}
        />
      </Table>
    </section>
  )
}

function countSteps({ steps }: SuiteEntry, kind: Kind): string {
  const found = steps.filter(({ outcome }) => outcome === kind).length
  return found === 0 ? '' : found.toLocaleString('en')
}
