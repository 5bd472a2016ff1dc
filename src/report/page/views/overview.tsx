import { countOf, formatMs } from '../../../text/units.ts'
import { adviseThreshold, describeThreshold } from '../../performance/check-thresholds.ts'
import type { Rating, SuiteBreakdown } from '../../performance/performance-report.ts'
import { ratings } from '../../performance/summarise-requests.ts'
import {
  sayFlaky,
  isFailed,
  isStep,
  kinds,
  kindTable,
  type Data,
  type Entry,
  type Kind,
} from '../state/data.ts'
import { sortByUrgency } from '../state/filter.ts'
import { Bar, Callouts, Facts, Status, Table, Tiles, useFirst, View } from './parts.tsx'

const sections: [Kind, title: string][] = [
  ['failure', 'Failed'],
  ['flaky', 'Flaky'],
  ['warning', 'Warnings'],
]

/** What became of the run: what failed first, then what deserves a look, then all suites, then how fast they were. */
export function Overview({ data }: { data: Data }) {
  const { counts, suites, report } = data
  const { errors = [], thresholds = [], recommendations, totals, summary } = report
  if (suites.length === 0 && errors.length === 0) return <Empty />
  const missed = thresholds.filter(({ passed }) => !passed)
  const wrong = [
    ...errors.map((error) => `Error outside of steps: ${error}`),
    ...missed.map((one) => `Threshold not kept: ${describeThreshold(one)}. ${adviseThreshold(one)}`),
  ]
  const isSlow = recommendations.some(({ level }) => level === 'warning')
  const reasons = listReasons(data)
  const all = `of ${countOf(totals.steps, 'step')} in ${countOf(suites.length, 'suite')}`
  return (
    <article class="view" aria-label="Overview">
      <RunFacts data={data} />
      <Tiles
        label="Summary"
        figures={kinds.map((kind) => ({
          name: kindTable[kind].name,
          value: counts[kind].toLocaleString('en'),
          note: kind === 'success' ? all : undefined,
          kind,
        }))}
      />
      <Callouts kind="failure" items={wrong.map((message) => ({ message }))} />
      <Callouts kind={isSlow ? 'warning' : 'success'} items={recommendations} />
      {sections.map(([kind, title]) => (
        <Reasons title={title} items={reasons.filter((one) => one.kind === kind)} />
      ))}
      <Suites data={data} />
      {summary.requests > 0 && <Latency data={data} />}
    </article>
  )
}

type Reason = { kind: Kind; entry: Entry; text: string }

/** What failed, was flaky or warns, with what is to be said of it. */
function listReasons({ entries, report: { baseline } }: Data): Reason[] {
  const isNew = new Set([baseline?.newly_failed, baseline?.newly_flaky].flatMap((ids) => ids ?? []))
  return entries.flatMap((entry) => {
    const news = isStep(entry) && isNew.has(entry.qualified_step_id) ? 'New since the baseline: ' : ''
    const reasons = (entry.warnings ?? []).map(({ message, line }): Reason => {
      return { kind: 'warning', entry, text: line ? `line ${line}: ${message}` : message }
    })
    if (isFailed(entry)) reasons.push({ kind: 'failure', entry, text: news + (entry.error ?? '') })
    if (isStep(entry) && entry.flaky) reasons.push({ kind: 'flaky', entry, text: news + sayFlaky(entry) })
    return reasons
  })
}

function Empty() {
  return (
    <View label="Overview" title="No suite ran">
      <p>
        Suites are files named <code>*.suite.yaml</code>. <code>npx vitest list</code> shows what is found;
        the option <code>include</code> says where to look.
      </p>
    </View>
  )
}

/** What was tested. */
function RunFacts({ data: { run, report } }: { data: Data }) {
  const { branch, commit, environment, node: Node, seed } = run
  const { totals, start_time, duration_ms, concurrency } = report
  const isRun = totals.steps_successful + totals.steps_failed > 0
  const took = isRun ? formatMs(duration_ms) : undefined
  const known = { took, 'suites at once': concurrency, branch, commit, environment, Node, seed }
  const facts = Object.entries(known).map(([name, value]) => value !== undefined && `${name} ${value}`)
  return (
    <Facts label="The run" facts={[isRun && `${start_time.slice(0, 16).replace('T', ' ')} UTC`, ...facts]} />
  )
}

/** Steps and suites with what is to be said of each; nothing when there are none. */
function Reasons({ title, items }: { title: string; items: readonly Reason[] }) {
  const [shown, rest] = useFirst(items, 20)
  if (items.length === 0) return null
  return (
    <section>
      <h2>
        {title} <small>{items.length.toLocaleString('en')}</small>
      </h2>
      <ul class="panel entries">
        {shown.map(({ kind, entry, text }) => (
          <li>
            <a href={entry.hash}>
              <Status kind={kind} /> <b>{entry.name}</b> <small>{sayWhere(entry)}</small>
              <pre>{text}</pre>
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
  return `${name} · ${[file_path, entry.failed_line ?? entry.line].filter(Boolean).join(':')}`
}

const tones: Record<Rating, Kind> = { A: 'success', B: 'success', C: 'warning', D: 'warning', E: 'failure' }

/** All suites, those that failed first, with what they took and how they are rated, and how the average request changed. */
function Suites({ data: { suites, report } }: { data: Data }) {
  const { baseline } = report
  const { newly_failed = [], newly_flaky = [], before_ms, now_ms } = baseline ?? {}
  const isTimed = now_ms !== undefined && before_ms !== undefined
  const change = baseline ? ['#Change'] : []
  const changes = new Map(baseline?.suites.map((one) => [one.node_id, one.change_percent]))
  const scale = ratings.map(
    ({ rating, success, below }) => `${rating} from ${success} % and p95 below ${formatMs(below)}`,
  )
  return (
    <section>
      <h2>
        Suites{' '}
        <small>
          {baseline &&
            `compared with the baseline: ${newly_failed.length} newly failed, ${newly_flaky.length} newly flaky`}
          {isTimed && `; the average request took ${formatMs(now_ms)}, ${formatMs(before_ms)} before`}
        </small>
      </h2>
      <Table
        label="Suites"
        head={['Suite', '#Total', '#Steps', '#Average step', '#Success', '#Rating', ...change]}
        rows={sortByUrgency(suites).map((suite) => {
          const { average_step_ms, rating } = report.suites[suite.place] as SuiteBreakdown
          const percent = changes.get(suite.node_id)
          // Of nothing that ran there is nothing to praise.
          const isRated = suite.outcome !== 'skipped'
          return [
            <>
              <Status kind={suite.outcome} /> <a href={suite.hash}>{suite.name}</a>
            </>,
            formatMs(suite.duration_ms),
            suite.steps.length,
            formatMs(average_step_ms),
            isRated ? `${suite.success_rate} %` : '–',
            isRated ? <b class={tones[rating]}>{rating}</b> : '–',
            percent === undefined ? '–' : `${percent > 0 ? '+' : ''}${percent} %`,
          ]
        })}
      />
      <small>Rating: {scale.join('; ')}; else E.</small>
    </section>
  )
}

/** How long requests took: figures, distribution, the ten slowest. */
function Latency({ data: { report, entries } }: { data: Data }) {
  const { summary, distribution, slowest } = report
  const most = Math.max(...distribution.map(({ count }) => count))
  const steps = entries.filter(isStep)
  return (
    <section>
      <h2>Latency</h2>
      <Tiles
        label="Figures"
        figures={Object.entries(summary).map(([name, value]) => ({
          name: name.replace(/^requests_|_ms$/, '').replace('_', ' '),
          value: name.endsWith('_ms') ? formatMs(value) : value.toLocaleString('en'),
        }))}
      />
      <Table
        label="Response times"
        head={['Time', 'Share', '#Requests']}
        rows={distribution.map(({ label, count, percent }) => [
          label.replace('-', '–'),
          <Bar size={count / most} />,
          `${count.toLocaleString('en')} (${percent} %)`,
        ])}
      />
      <Table
        label="Slowest requests"
        head={['#', 'Slowest step', 'Request', '#Duration', '#Status']}
        rows={slowest.map(({ rank, qualified_step_id: id, duration_ms: ms, method, path, status_code }) => {
          const named = steps.filter((step) => step.qualified_step_id === id)
          const step = named.find(({ request_ms = 0 }) => Math.abs(request_ms - ms) < 0.01)
          return [
            rank,
            step && <a href={step.hash}>{step.name}</a>,
            <code>{`${method} ${path}`}</code>,
            formatMs(ms),
            status_code ?? 'no response',
          ]
        })}
      />
    </section>
  )
}
