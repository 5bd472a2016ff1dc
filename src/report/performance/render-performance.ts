import { escapeControl } from '../../escape-control.ts'
import { describeThreshold } from './check-thresholds.ts'
import { formatMs } from '../../text/units.ts'
import type { PerformanceReport } from './performance-report.ts'
import { layOutTable } from './text-table.ts'

export type RenderOptions = {
  /** Columns of the terminal. */
  width: number
  color: boolean
}

/** Colours a text, or leaves it as it is. */
type Paint = (code: number, text: string) => string
type Render = (report: PerformanceReport, columns: number, paint: Paint) => string[]

const mostSuites = 10
const mostSlow = 5
const widestBar = 24

const [bold, dim, red, green, yellow, cyan, plain] = [1, 2, 31, 32, 33, 36, 39] as const

/** Writes the performance report for a terminal: plain text of at most `width` columns, in colour only if asked; untrusted text is escaped. */
export function renderPerformanceText(report: PerformanceReport, { width, color }: RenderOptions): string {
  const paint: Paint = (code, text) =>
    color ? `\u001b[${code}m${text}\u001b[${code < 10 ? 22 : plain}m` : text
  const columns = Math.max(40, Math.min(width, 110)) - 2
  return [renderSummary, renderDistribution, renderSuites, renderSlowest, renderChanges, renderVerdicts]
    .map((render) => render(report, columns, paint))
    .filter((section) => section.length > 0)
    .map((section) => section.map((line) => `  ${line}\n`).join(''))
    .join('\n')
}

function countRequests({ summary: { requests } }: PerformanceReport): string {
  return `${requests} ${requests === 1 ? 'request' : 'requests'}`
}

const renderSummary: Render = (report, _, paint) => {
  const { summary, totals, duration_ms } = report
  const suites = `${totals.suites} ${totals.suites === 1 ? 'suite' : 'suites'}`
  const rate = summary.requests_per_second === undefined ? '' : `, ${summary.requests_per_second}/s`
  const title = `${paint(bold, 'Performance')}  ${countRequests(report)} of ${suites} in ${formatMs(duration_ms)}${rate}`
  const figures = (['average', 'median', 'p95', 'p99', 'fastest', 'slowest'] as const).flatMap((name) => {
    const value = summary[`${name}_ms`]
    return value === undefined ? [] : `${paint(dim, name)} ${formatMs(value)}`
  })
  if (figures.length === 0) return [title]
  return [title, figures.slice(0, 3).join('  '), figures.slice(3).join('  ')]
}

/** The same on one line, without colours: what every run prints. */
export function renderFigures(report: PerformanceReport): string {
  const title = `${countRequests(report)} in ${formatMs(report.duration_ms)}`
  const { average_ms: average, p95_ms: p95, slowest_ms: slowest } = report.summary
  if (average === undefined || p95 === undefined || slowest === undefined) return title
  return `${title}: average ${formatMs(average)}, p95 ${formatMs(p95)}, slowest ${formatMs(slowest)}`
}

/** A bar per bucket of request times. */
const renderDistribution: Render = ({ distribution, summary }, _, paint) => {
  if (summary.requests === 0) return []
  const most = Math.max(...distribution.map(({ count }) => count))
  const digits = String(most).length
  return distribution.map(({ label, count, percent }) => {
    const length = Math.max(count > 0 ? 1 : 0, Math.round((count / most) * widestBar))
    const bar = paint(cyan, '█'.repeat(length)) + ' '.repeat(widestBar - length)
    return `${paint(dim, label.padEnd(9))}  ${bar}  ${String(count).padStart(digits)}  ${String(percent).padStart(3)} %`
  })
}

const renderSuites: Render = ({ suites }, columns, paint) => {
  if (suites.length === 0) return []
  const shown = suites
    .toSorted((a, b) => b.rating.localeCompare(a.rating) || b.total_duration_ms - a.total_duration_ms)
    .slice(0, mostSuites)
  const rows = shown.map((suite) => [
    escapeControl(suite.suite_name),
    formatMs(suite.total_duration_ms),
    String(suite.steps),
    formatMs(suite.average_step_ms),
    // Of nothing that ran there is nothing to praise.
    ...(suite.status === 'skipped' ? ['–', '–'] : [`${suite.success_rate} %`, suite.rating]),
  ])
  const colors = shown.map(({ status, rating }) =>
    status === 'failure' || status === 'not_run' ? red : rating < 'C' ? plain : yellow,
  )
  const head = ['Suite', 'Total', 'Steps', 'Average step', 'Success', 'Rating']
  const lines = layOutTable([head, ...rows], '<>>>>>', columns)
  const more = suites.length - shown.length
  return [
    ...lines.map((line, index) => paint(colors[index - 1] ?? dim, line)),
    ...(more > 0 ? [paint(dim, `… and ${more} more in performance.json`)] : []),
  ]
}

const renderSlowest: Render = ({ slowest }, columns, paint) => {
  if (slowest.length === 0) return []
  const rows = slowest
    .slice(0, mostSlow)
    .map((request) => [
      `${request.rank}.`,
      escapeControl(request.step_name),
      escapeControl(`${request.method} ${request.path}`),
      formatMs(request.duration_ms),
      request.status_code === undefined ? 'no response' : String(request.status_code),
    ])
  return [paint(dim, 'Slowest requests'), ...layOutTable(rows, '><<>>', columns)]
}

const renderChanges: Render = ({ baseline }, columns, paint) => {
  if (!baseline) return []
  const changes = baseline.suites
    .toSorted((a, b) => Math.abs(b.change_percent ?? 0) - Math.abs(a.change_percent ?? 0))
    .slice(0, mostSuites)
  const all = [{ node_id: 'all suites', ...baseline }, ...changes]
  const rows = all.map((row) => [
    escapeControl(row.node_id),
    row.before_ms === undefined ? 'new' : formatMs(row.before_ms),
    row.now_ms === undefined ? 'gone' : formatMs(row.now_ms),
    row.change_percent === undefined ? '' : `${row.change_percent > 0 ? '+' : ''}${row.change_percent} %`,
  ])
  // A change of less than a tenth may be chance.
  const colors = all.map(({ change_percent: percent = 0 }) =>
    Math.abs(percent) < 10 ? plain : percent > 0 ? red : green,
  )
  const head = ['Average request against the baseline', 'Before', 'Now', 'Change']
  const lines = layOutTable([head, ...rows], '<>>>', columns)
  return lines.map((line, index) => paint(colors[index - 1] ?? dim, line))
}

const renderVerdicts: Render = ({ status, recommendations, thresholds = [] }, _, paint) => {
  // What was fast because it failed is not acceptable.
  const advice = recommendations
    .filter(({ level }) => status !== 'failure' || level === 'warning')
    .map(({ level, message }) =>
      level === 'warning'
        ? paint(yellow, `Warning: ${escapeControl(message)}`)
        : paint(green, escapeControl(message)),
    )
  const limits = thresholds.map((one) =>
    one.passed
      ? paint(green, `Threshold kept: ${describeThreshold(one)}`)
      : paint(red, `Threshold not kept: ${describeThreshold(one)}`),
  )
  return [...advice, ...limits]
}

/** A part of the end of a run: a label, and what it says. Nothing is cut: places and paths are there to be used. */
export function renderLine(label: string, text: string, { color }: Pick<RenderOptions, 'color'>): string {
  const name = label.padStart(11)
  return `${color ? `\u001b[2m${name}\u001b[22m` : name}  ${escapeControl(text)}`
}
