import { styleText } from 'node:util'
import { escapeControl } from '../../escape-control.ts'
import { measureText } from '../../text/measure-text.ts'
import { countOf, formatMs } from '../../text/units.ts'
import { describeThreshold } from './check-thresholds.ts'
import type { PerformanceReport } from './compute-performance.ts'

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan' | 'reset'

type TableRow = readonly [Style, ...string[]]

type Section = (report: PerformanceReport, columns: number) => string[]

const gap = '  '
const mostSuites = 10

/** Renders the performance report for a terminal of `width` columns, in colour; untrusted text is escaped. */
export function renderPerformanceText(report: PerformanceReport, width: number): string {
  const columns = Math.max(60, Math.min(width, 110)) - 2
  return [renderSummary, renderDistribution, renderSuites, renderSlowest, renderChanges, renderVerdicts]
    .map((render) => render(report, columns))
    .filter((section) => section.length > 0)
    .map((section) => section.map((line) => `  ${line}\n`).join(''))
    .join('\n')
}

const renderSummary: Section = ({ summary, totals, duration_ms }) => {
  const { requests, requests_per_second: rate } = summary
  const title = `${countOf(requests, 'request')} of ${countOf(totals.suites, 'suite')} in ${formatMs(duration_ms)}`
  const figures = (['average', 'median', 'p95', 'p99', 'fastest', 'slowest'] as const).map(
    (name) => `${paint('dim', name)} ${formatMs(summary[`${name}_ms`] ?? 0)}`,
  )
  return [
    `${paint('bold', 'Performance')}  ${title}${rate === undefined ? '' : `, ${rate}/s`}`,
    ...(requests === 0 ? [] : [figures.slice(0, 3).join('  '), figures.slice(3).join('  ')]),
  ]
}

/** The main figures on one line, without colours, as every run prints them. */
export function renderFigures({ summary, duration_ms }: PerformanceReport): string {
  const { requests, average_ms = 0, p95_ms = 0, slowest_ms = 0 } = summary
  const title = `${countOf(requests, 'request')} in ${formatMs(duration_ms)}`
  if (requests === 0) return title
  return `${title}: average ${formatMs(average_ms)}, p95 ${formatMs(p95_ms)}, slowest ${formatMs(slowest_ms)}`
}

/** Renders a bar for each bucket of request times. */
const renderDistribution: Section = ({ distribution, summary }, columns) => {
  if (summary.requests === 0) return []
  const most = Math.max(...distribution.map(({ count }) => count))
  const rows = distribution.map(({ label, count, percent }): TableRow => {
    const length = Math.max(count > 0 ? 1 : 0, Math.round((count / most) * 20))
    return ['cyan', label, '█'.repeat(length), String(count), `${String(percent).padStart(3)} %`]
  })
  return layOutTable(rows, '<<>>', columns)
}

const renderSuites: Section = ({ suites }, columns) => {
  if (suites.length === 0) return []
  const shown = suites.toSorted((a, b) => b.total_duration_ms - a.total_duration_ms).slice(0, mostSuites)
  const rows = shown.map(({ status, rating, suite_name, steps, ...suite }): TableRow => [
    status === 'failure' || status === 'not_run' ? 'red' : rating && rating > 'B' ? 'yellow' : 'reset',
    escapeControl(suite_name),
    formatMs(suite.total_duration_ms),
    String(steps),
    formatMs(suite.average_step_ms),
    ...(rating ? [`${suite.success_rate} %`, rating] : ['–', '–']),
  ])
  const head: TableRow = ['dim', 'Suite', 'Total', 'Steps', 'Average step', 'Success', 'Rating']
  const more = suites.length - shown.length
  return [
    ...layOutTable([head, ...rows], '<>>>>>', columns),
    ...(more > 0 ? [paint('dim', `… and ${more} more in performance.json`)] : []),
  ]
}

const renderSlowest: Section = ({ slowest }, columns) => {
  if (slowest.length === 0) return []
  const rows = slowest.map(
    ({ rank, step_name, iteration, method, path, duration_ms, status_code = 'no response' }): TableRow => [
      'reset',
      `${rank}.`,
      escapeControl(iteration === undefined ? step_name : `${step_name} · ${iteration}`),
      escapeControl(`${method} ${path}`),
      formatMs(duration_ms),
      String(status_code),
    ],
  )
  return [paint('dim', 'Slowest requests'), ...layOutTable(rows, '><<>>', columns)]
}

const renderChanges: Section = ({ baseline }, columns) => {
  // Without a request in either run, there is nothing to compare.
  if (!baseline || baseline.suites.length === 0) return []
  const changes = baseline.suites
    .toSorted((a, b) => Math.abs(b.change_percent ?? 0) - Math.abs(a.change_percent ?? 0))
    .slice(0, mostSuites)
  const all = [{ node_id: 'all suites', ...baseline }, ...changes]
  const rows = all.map(({ node_id, before_ms, now_ms, change_percent: change = 0 }): TableRow => [
    // A change of less than 10 % may be chance.
    Math.abs(change) < 10 ? 'reset' : change > 0 ? 'red' : 'green',
    escapeControl(node_id),
    before_ms === undefined ? 'new' : formatMs(before_ms),
    now_ms === undefined ? 'gone' : formatMs(now_ms),
    before_ms && now_ms !== undefined ? `${change > 0 ? '+' : ''}${change} %` : '',
  ])
  const head: TableRow = ['dim', 'Average request against the baseline', 'Before', 'Now', 'Change']
  return layOutTable([head, ...rows], '<>>>', columns)
}

const renderVerdicts: Section = ({ status, recommendations, thresholds = [] }) => [
  ...recommendations.flatMap(({ level, message }) => {
    if (level === 'warning') return paint('yellow', `Warning: ${escapeControl(message)}`)
    // A failed run may be fast because it failed.
    return status === 'failure' ? [] : paint('green', message)
  }),
  ...thresholds.map((one) =>
    paint(
      one.passed ? 'green' : 'red',
      `Threshold ${one.passed ? '' : 'not '}met: ${describeThreshold(one)}`,
    ),
  ),
]

/** A line of the summary at the end of a run: a label and a text. Never cut, since locations and paths are meant to be used. */
export function renderLine(label: string, text: string): string {
  return `${paint('dim', label.padStart(11))}  ${escapeControl(text)}`
}

function paint(style: Style, text: string): string {
  return styleText(style, text, { validateStream: false })
}

/** Lays out rows of plain texts in at most `width` terminal columns. `sides` has `<` for each column of texts, the longest of which are shortened where there is no room, and `>` for each of figures. */
function layOutTable(rows: readonly TableRow[], sides: string, width: number): string[] {
  const needed = Array.from(sides, (_, index) =>
    Math.max(...rows.map((row) => measureText(row[index + 1] ?? ''))),
  )
  const room = width - gap.length * (sides.length - 1)
  let widths = needed
  for (let most = width; most > 0 && widths.reduce((sum, columns) => sum + columns) > room; most -= 1)
    widths = needed.map((columns, index) => (sides[index] === '<' ? Math.min(columns, most) : columns))
  return rows.map(([style, ...cells]) => {
    const padded = widths.map((columns, index) => {
      const text = fitText(cells[index] ?? '', columns)
      const space = ' '.repeat(columns - measureText(text))
      return sides[index] === '<' ? text + space : space + text
    })
    return paint(style, padded.join(gap).trimEnd())
  })
}

/** Shortens a text to a number of columns, ending in an ellipsis. */
function fitText(text: string, columns: number): string {
  if (measureText(text) <= columns) return text
  let fitted = ''
  for (const character of text) {
    if (measureText(fitted + character) > columns - 1) break
    fitted += character
  }
  return `${fitted}…`
}
