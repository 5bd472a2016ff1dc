import { formatMs } from '../../../text/units.ts'
import { adviseThreshold, describeThreshold } from '../../performance/check-thresholds.ts'
import type { Rating, SuiteBreakdown } from '../../performance/performance-report.ts'
import { ratings } from '../../performance/summarise-requests.ts'
import { isFailed, isStep, kinds, kindTable, type Data, type Entry, type Kind } from '../state/data.ts'
import { sortByUrgency } from '../state/filter.ts'
import { countOf, sayFlaky } from '../state/text.ts'
import { Latency } from './latency.tsx'
import { Callouts, Status, Table, Tiles, useFirst } from './parts.tsx'

/** What became of the run: what failed first, then what deserves a look, then all suites, then how fast they were. */
export function Overview({ data }: { data: Data }) {
  const { report, suites, entries, counts } = data
  if (suites.length === 0 && !report.errors) return <Empty />
  const { baseline, thresholds = [] } = report
  const isNew = new Set([...(baseline?.newly_failed ?? []), ...(baseline?.newly_flaky ?? [])])
  const sayNew = (entry: Entry): string =>
    isStep(entry) && isNew.has(entry.qualified_step_id) ? 'New since the baseline: ' : ''
  return (
    <article class="view" aria-label="Overview">
      <RunFacts data={data} />
      {report.errors && (
        <section class="callout failure" aria-label="Errors outside of steps">
          <h2>Errors outside of steps</h2>
          {report.errors.map((error) => (
            <pre>{error}</pre>
          ))}
        </section>
      )}
      <Summary data={data} />
      <Callouts
        label="Thresholds"
        items={thresholds.flatMap((one) =>
          one.passed
            ? []
            : {
                kind: 'failure',
                message: `Threshold not kept: ${describeThreshold(one)}. ${adviseThreshold(one)}`,
              },
        )}
      />
      <Entries
        kind="failure"
        title="Failed"
        entries={entries.filter(isFailed)}
        say={(entry) => sayNew(entry) + (entry.error ?? '')}
      />
      <Entries
        kind="flaky"
        title="Flaky"
        entries={entries.filter(isStep).filter(({ flaky }) => flaky)}
        say={(step) => sayNew(step) + sayFlaky(step)}
      />
      <Entries
        kind="warning"
        title="Warnings"
        count={counts.warning}
        entries={entries.filter((one) => one.warnings)}
        say={sayWarnings}
      />
      <Suites data={data} />
      <Latency data={data} />
    </article>
  )
}

function Empty() {
  return (
    <article class="view" aria-label="Overview">
      <h2>No suite ran</h2>
      <p>
        Suites are files named <code>*.suite.yaml</code>. <code>npx vitest list</code> shows what is found;
        the option <code>include</code> says where to look.
      </p>
    </article>
  )
}

/** What was tested; what is not known is left out. */
function RunFacts({ data: { run, report } }: { data: Data }) {
  const { branch, commit, environment, node, seed } = run
  const time = `${report.start_time.slice(0, 16).replace('T', ' ')} UTC`
  const isRun = report.totals.steps_successful + report.totals.steps_failed > 0
  const facts = {
    ...(isRun && { '': time, took: formatMs(report.duration_ms) }),
    'suites at once': report.concurrency,
    branch,
    commit,
    environment,
    Node: node,
    seed,
  }
  return (
    <ul class="facts" aria-label="The run">
      {Object.entries(facts).map(
        ([name, value]) =>
          value !== undefined && (
            <li>
              <span class="muted">{name}</span> {value}
            </li>
          ),
      )}
    </ul>
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
  return (
    <Tiles
      label="Summary"
      figures={kinds.map((kind) => ({
        name: kindTable[kind].name,
        value: counts[kind].toLocaleString('en'),
        note: notes[kind],
        kind,
        href: `#/?status=${kind}`,
      }))}
    />
  )
}

type EntriesProps<One extends Entry> = {
  kind: Kind
  title: string
  entries: readonly One[]
  /** How many there are, when an entry can stand for several. */
  count?: number
  say: (entry: One) => string
}

/** Steps and suites with what is to be said of each; nothing when there are none. */
function Entries<One extends Entry>({
  kind,
  title,
  entries,
  count = entries.length,
  say,
}: EntriesProps<One>) {
  const [shown, rest] = useFirst(entries, 20)
  if (entries.length === 0) return null
  return (
    <section>
      <h2>
        {title} <small>{count.toLocaleString('en')}</small>
      </h2>
      <ul class="panel entries">
        {shown.map((entry) => (
          <li>
            <a href={entry.hash}>
              <Status kind={kind} /> <b>{entry.name}</b> <small>{sayWhere(entry)}</small>
              <pre>{say(entry)}</pre>
            </a>
          </li>
        ))}
      </ul>
      {rest}
    </section>
  )
}

function sayWhere(entry: Entry): string {
  const { file_path, name } = entry.suite
  if (!isStep(entry)) return file_path
  const line = entry.failed_line ?? entry.line
  return `${name} · ${file_path}${line === undefined ? '' : `:${line}`}`
}

function sayWarnings({ warnings = [] }: Entry): string {
  return warnings
    .map(({ message, line }) => (line === undefined ? message : `line ${line}: ${message}`))
    .join('\n')
}

const tones: Record<Rating, Kind> = { A: 'success', B: 'success', C: 'warning', D: 'warning', E: 'failure' }

/** All suites, those that failed first, with what they took and how they are rated, and how the average request changed. */
function Suites({ data: { suites, report } }: { data: Data }) {
  const { baseline } = report
  const changes = new Map(baseline?.suites.map((one) => [one.node_id, one.change_percent]))
  const scale = ratings.map(
    ({ rating, success, below }) => `${rating} from ${success} % and p95 below ${formatMs(below)}`,
  )
  return (
    <section>
      <h2>
        Suites <small>{baseline && sayBaseline(baseline)}</small>
      </h2>
      <Table
        label="Suites"
        head={[
          'Suite',
          '#Total',
          '#Steps',
          '#Average step',
          ...(baseline ? ['#Change'] : []),
          '#Success',
          '#Rating',
        ]}
        items={sortByUrgency(suites)}
        cells={({ number, outcome, hash, name, node_id, steps, duration_ms, success_rate }) => {
          const { average_step_ms, rating } = report.suites[number] as SuiteBreakdown
          const change = changes.get(node_id)
          // Of nothing that ran there is nothing to praise.
          const isRated = outcome !== 'skipped'
          return [
            <>
              <Status kind={outcome} /> <a href={hash}>{name}</a>
            </>,
            formatMs(duration_ms),
            steps.length,
            formatMs(average_step_ms),
            ...(baseline ? [change === undefined ? '–' : `${change > 0 ? '+' : ''}${change} %`] : []),
            isRated ? `${success_rate} %` : '–',
            isRated ? <b class={tones[rating]}>{rating}</b> : '–',
          ]
        }}
      />
      <small>Rating: {scale.join('; ')}; else E.</small>
    </section>
  )
}

function sayBaseline({ newly_failed = [], newly_flaky = [], before_ms, now_ms }: Baseline): string {
  const isTimed = now_ms !== undefined && before_ms !== undefined
  const time = isTimed ? `; the average request took ${formatMs(now_ms)}, ${formatMs(before_ms)} before` : ''
  return `compared with the baseline: ${newly_failed.length} newly failed, ${newly_flaky.length} newly flaky${time}`
}

type Baseline = NonNullable<Data['report']['baseline']>
