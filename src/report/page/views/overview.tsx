import type { ComponentChildren } from 'preact'
import { cut } from '../../../text/show-value.ts'
import { countOf, formatMs } from '../../../text/units.ts'
import { describeThreshold } from '../../performance/check-thresholds.ts'
import { ratings, type Rating } from '../../performance/summarise-requests.ts'
import {
  isFailed,
  isStepEntry,
  kinds,
  kindTable,
  sayFlaky,
  sortByUrgency,
  type ReportData,
  type Entry,
  type Kind,
} from '../state/data.ts'
import { showList } from './list.tsx'
import { Bar, Callouts, Facts, Items, Status, Table, View } from './parts.tsx'

/** The result of the run: first failures, then what deserves a look, then all suites, then performance. */
export function Overview({ data }: { data: ReportData }) {
  const { counts, report } = data
  const { status, errors = [], thresholds = [], recommendations, summary } = report
  const missed = thresholds.filter(({ passed }) => !passed)
  const wrong = [
    ...errors.map((error) => `Error outside the steps: ${error}`),
    ...missed.map((one) => `Threshold not met: ${describeThreshold(one)}.`),
  ]
  const isSlow = recommendations.some(({ level }) => level === 'warning')
  return (
    <View label="Overview">
      <RunFacts data={data} />
      <dl class="panel tiles" aria-label="Summary">
        {kinds.map((kind) => (
          <div>
            <dt>{kindTable[kind].name}</dt>
            <dd class={counts[kind] === 0 ? '' : kind}>
              <a href={`#/?status=${kind}`} onClick={showList}>
                {counts[kind].toLocaleString('en')}
              </a>
            </dd>
          </div>
        ))}
      </dl>
      <Callouts kind="failure" items={wrong.map((message) => ({ message }))} />
      {(isSlow || status !== 'failure') && (
        <Callouts kind={isSlow ? 'warning' : 'success'} items={recommendations} />
      )}
      <Reasons title="Failed" data={data} kind="failure" />
      <Reasons title="Flaky" data={data} kind="flaky" />
      <Reasons title="Warnings" data={data} kind="warning" />
      <Suites data={data} />
      {summary.requests > 0 && <Latency data={data} />}
    </View>
  )
}

function RunFacts({ data: { run, report, suites } }: { data: ReportData }) {
  const { branch, commit, environment, node: Node, seed } = run
  const { totals, start_time, duration_ms, concurrency } = report
  const known = { 'suites at once': concurrency, branch, commit, environment, Node, seed }
  const facts = [
    `${start_time.slice(0, 16).replace('T', ' ')} UTC`,
    `${countOf(totals.steps, 'step')} in ${countOf(suites.length, 'suite')}`,
    `took ${formatMs(duration_ms)}`,
    ...Object.entries(known).map(([name, value]) => value !== undefined && `${name} ${value}`),
  ]
  return <Facts label="The run" facts={facts} />
}

function Reasons({ title, kind, data }: { title: string; kind: Kind; data: ReportData }) {
  const { newly_failed = [], newly_flaky = [] } = data.report.baseline ?? {}
  const isNew = new Set([...newly_failed, ...newly_flaky])
  const items = data.entries.flatMap((entry) => {
    const news = isStepEntry(entry) && isNew.has(entry.qualified_step_id) ? 'New since the baseline: ' : ''
    return listReasons(entry, kind).map((text) => (
      <a href={entry.hash}>
        <Status kind={kind} />{' '}
        <b>
          <bdi>{entry.name}</bdi>
        </b>{' '}
        <small>{sayWhere(entry)}</small>
        <pre>{kind === 'warning' ? text : news + text}</pre>
      </a>
    ))
  })
  if (items.length === 0) return null
  return (
    <section>
      <h2>
        {title} <small>{items.length.toLocaleString('en')}</small>
      </h2>
      <Items class="panel entries" label={title} items={items} most={20} />
    </section>
  )
}

function listReasons(entry: Entry, kind: Kind): string[] {
  if (kind === 'failure') return isFailed(entry) ? [entry.error ?? ''] : []
  if (kind === 'flaky') return isStepEntry(entry) && entry.flaky ? [sayFlaky(entry)] : []
  return (entry.warnings ?? []).map(({ message, line }) => (line ? `line ${line}: ${message}` : message))
}

function sayWhere(entry: Entry): ComponentChildren {
  const { file_path, name } = entry.suite
  if (!isStepEntry(entry)) return file_path
  const place = [file_path, entry.failed_line ?? entry.line].filter(Boolean).join(':')
  return [<bdi>{name}</bdi>, ` · ${place}`]
}

const tones: Record<Rating, Kind> = { A: 'success', B: 'success', C: 'warning', D: 'warning', E: 'failure' }

function Suites({ data: { suites, report } }: { data: ReportData }) {
  const { baseline } = report
  const { newly_failed = [], newly_flaky = [], before_ms, now_ms } = baseline ?? {}
  const isTimed = now_ms !== undefined && before_ms !== undefined
  const changes = new Map(baseline?.suites.map((one) => [one.node_id, one.change_percent]))
  const scale = ratings.map(
    ({ rating, success, below }) => `${rating} from ${success} % and p95 below ${formatMs(below)}`,
  )
  const longest = Math.max(1, ...suites.map(({ duration_ms }) => duration_ms))
  const head = ['Suite', '~Time', '#Total', '#Steps', '#Average step', '#Success', '#Rating']
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
        head={baseline ? [...head, '#Change'] : head}
        rows={sortByUrgency(suites).map((suite) => {
          const { average_step_ms = 0, rating } = report.suites[suite.place] ?? {}
          const percent = changes.get(suite.node_id)
          return [
            <a href={suite.hash}>
              <Status kind={suite.outcome} />
              &nbsp;<bdi>{suite.name}</bdi>
            </a>,
            <Bar size={suite.duration_ms / longest} kind={suite.outcome} />,
            formatMs(suite.duration_ms),
            suite.steps.length,
            formatMs(average_step_ms),
            rating ? `${suite.success_rate} %` : '–',
            rating ? <b class={tones[rating]}>{rating}</b> : '–',
            percent === undefined ? '–' : `${percent > 0 ? '+' : ''}${percent} %`,
          ]
        })}
      />
      <small>Rating: {scale.join('; ')}; else E.</small>
    </section>
  )
}

function Latency({ data: { report, entries } }: { data: ReportData }) {
  const { summary, distribution } = report
  const timed = entries.filter(isStepEntry).filter(({ request_ms }) => request_ms !== undefined)
  const slowest = timed.toSorted((a, b) => Number(b.request_ms) - Number(a.request_ms)).slice(0, 10)
  const most = Math.max(...distribution.map(({ count }) => count))
  const figures = Object.entries(summary).map(([name, value]) => {
    const shown = name.endsWith('_ms') ? formatMs(value) : value.toLocaleString('en')
    return (
      <>
        {name.replace(/^requests_|_ms$/, '').replace('_', ' ')} <b>{shown}</b>
      </>
    )
  })
  return (
    <section>
      <h2>Latency</h2>
      <Facts label="Figures" facts={figures} />
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
        rows={slowest.map(({ hash, name, method, path, request_ms = 0, status_code }, index) => [
          index + 1,
          <a href={hash}>
            <bdi>{name}</bdi>
          </a>,
          <code>{cut(`${method} ${path}`, 120)}</code>,
          formatMs(request_ms),
          status_code ?? 'no response',
        ])}
      />
    </section>
  )
}
