import { escapeControl } from '../../escape-control.ts'
import { describeThreshold } from './check-thresholds.ts'
import { formatMs } from './format-ms.ts'
import type { PerformanceReport, SuiteBreakdown } from './performance-report.ts'
import { renderDistribution, renderSummary, type Paint } from './render-summary.ts'
import { fitText, layOutTable, wrapText, type Column } from './text-table.ts'

export type RenderOptions = {
  /** Columns of the terminal. */
  width: number
  color: boolean
}

const mostSuites = 10
const mostSlow = 5

/** Writes the performance report for a terminal: plain text of at most `width` columns, in colour only if asked; untrusted text is escaped. */
export function renderPerformanceText(report: PerformanceReport, { width, color }: RenderOptions): string {
  const paint: Paint = (code, text) => (color ? `\u001b[${code}m${text}\u001b[${code < 10 ? 22 : 39}m` : text)
  const columns = Math.max(40, Math.min(width, 110)) - 2
  const sections = [
    renderSummary(report, columns, paint),
    renderDistribution(report, paint),
    renderSuites(report, columns, paint),
    renderSlowest(report, columns, paint),
    renderChanges(report, columns, paint),
    renderVerdicts(report, columns, paint),
  ]
  return sections
    .filter((section) => section.length > 0)
    .map((section) => section.map((line) => `  ${line}\n`).join(''))
    .join('\n')
}

const suiteColumns: readonly Column[] = [
  { align: 'left', flexible: true },
  ...Array.from({ length: 5 }, (): Column => ({ align: 'right' })),
]

function renderSuites({ suites }: PerformanceReport, columns: number, paint: Paint): string[] {
  if (suites.length === 0) return []
  const shown = suites
    .toSorted((a, b) => b.rating.localeCompare(a.rating) || b.total_duration_ms - a.total_duration_ms)
    .slice(0, mostSuites)
  const rows = shown.map((suite) => [
    escapeControl(suite.suite_name),
    formatMs(suite.total_duration_ms),
    String(suite.steps),
    formatMs(suite.average_step_ms),
    `${suite.success_rate} %`,
    suite.rating,
  ])
  const head = ['Suite', 'Total', 'Steps', 'Average step', 'Success', 'Rating']
  const [title, ...lines] = layOutTable([head, ...rows], suiteColumns, columns)
  const more = suites.length - shown.length
  return [
    paint(2, title as string),
    ...lines.map((line, index) => paint(colorOf(shown[index] as SuiteBreakdown), line)),
    ...(more > 0 ? [paint(2, `… and ${more} more in performance.json`)] : []),
  ]
}

function colorOf({ status, rating }: SuiteBreakdown): number {
  if (status === 'failure' || status === 'not_run') return 31
  return rating === 'A' || rating === 'B' ? 39 : 33
}

function renderSlowest({ slowest }: PerformanceReport, columns: number, paint: Paint): string[] {
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
  const layout: Column[] = [
    { align: 'right' },
    { align: 'left', flexible: true },
    { align: 'left', flexible: true },
    { align: 'right' },
    { align: 'right' },
  ]
  return [paint(2, 'Slowest requests'), ...layOutTable(rows, layout, columns)]
}

function renderChanges({ baseline }: PerformanceReport, columns: number, paint: Paint): string[] {
  if (!baseline) return []
  const changes = baseline.suites
    .toSorted((a, b) => Math.abs(b.change_percent ?? 0) - Math.abs(a.change_percent ?? 0))
    .slice(0, mostSuites)
  const rows = [{ node_id: 'all suites', ...baseline }, ...changes].map((row) => [
    escapeControl(row.node_id),
    row.before_ms === undefined ? 'new' : formatMs(row.before_ms),
    row.now_ms === undefined ? 'gone' : formatMs(row.now_ms),
    row.change_percent === undefined ? '' : `${row.change_percent > 0 ? '+' : ''}${row.change_percent} %`,
  ])
  const head = ['Average request against the baseline', 'Before', 'Now', 'Change']
  const [title, ...lines] = layOutTable([head, ...rows], suiteColumns.slice(0, 4), columns)
  const all = [baseline, ...changes]
  return [
    paint(2, title as string),
    ...lines.map((line, index) => paintChange(line, all[index]?.change_percent, paint)),
  ]
}

/** A change of a tenth or more is shown in red or green: it is hardly chance. */
function paintChange(line: string, percent: number | undefined, paint: Paint): string {
  if (percent === undefined || Math.abs(percent) < 10) return line
  return paint(percent > 0 ? 31 : 32, line)
}

function renderVerdicts(
  { status, recommendations, thresholds = [] }: PerformanceReport,
  columns: number,
  paint: Paint,
): string[] {
  const wrap = (text: string, code: number): string[] =>
    wrapText(escapeControl(text), columns).map((line) => paint(code, line))
  // What was fast because it failed is not acceptable.
  const fair = recommendations.filter(({ level }) => status !== 'failure' || level === 'warning')
  const advice = fair.map(({ level, message }) =>
    level === 'warning' ? wrap(`Warning: ${message}`, 33) : wrap(message, 32),
  )
  const limits = thresholds.map((one) => {
    const text = `Threshold ${one.passed ? 'kept' : 'not kept'}: ${describeThreshold(one)}`
    return wrap(text, one.passed ? 32 : 31)
  })
  return [...advice, ...limits].flat()
}

/** One line of the end of a run: a label, and what it says. */
export function renderLine(label: string, text: string, { width, color }: RenderOptions): string {
  const name = label.padStart(11)
  const shown = fitText(escapeControl(text), Math.max(width - 14, 30))
  return `${color ? `\u001b[2m${name}\u001b[22m` : name}  ${shown}`
}
