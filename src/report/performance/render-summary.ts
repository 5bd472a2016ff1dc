import { formatMs } from './format-ms.ts'
import type { PerformanceReport } from './performance-report.ts'

/** Colours a text, or leaves it as it is. */
export type Paint = (code: number, text: string) => string

const widestBar = 24

/** Between figures of one line. */
const gap = '   '

/** How many requests there were, and their figures on one line, or on several of a narrow terminal. */
export function renderSummary(
  { summary, totals, duration_ms }: PerformanceReport,
  columns: number,
  paint: Paint,
): string[] {
  const suites = `${totals.suites} ${totals.suites === 1 ? 'suite' : 'suites'}`
  const requests = `${summary.requests} ${summary.requests === 1 ? 'request' : 'requests'}`
  const rate = summary.requests_per_second === undefined ? '' : `, ${summary.requests_per_second}/s`
  const title = `${paint(1, 'Performance')}  ${requests} of ${suites} in ${formatMs(duration_ms)}${rate}`
  if (summary.average_ms === undefined) return [title]
  const figures = [
    ['average', summary.average_ms],
    ['median', summary.median_ms],
    ['p95', summary.p95_ms],
    ['p99', summary.p99_ms],
    ['fastest', summary.fastest_ms],
    ['slowest', summary.slowest_ms],
  ] as const
  const shown = figures.map(([name, value]) => [name, formatMs(value as number)] as const)
  const plain = shown.map(([name, time]) => `${name} ${time}`)
  const widest = [6, 3, 2].find((count) =>
    chunk(plain, count).every((one) => one.join(gap).length <= columns),
  )
  const painted = shown.map(([name, time]) => `${paint(2, name)} ${time}`)
  return [title, ...chunk(painted, widest ?? 1).map((one) => one.join(gap))]
}

function chunk(items: readonly string[], count: number): string[][] {
  return Array.from({ length: Math.ceil(items.length / count) }, (_, index) =>
    items.slice(index * count, (index + 1) * count),
  )
}

/** The same on one line, without colours: what every run prints. */
export function renderFigures({ summary, duration_ms }: PerformanceReport): string {
  const requests = `${summary.requests} ${summary.requests === 1 ? 'request' : 'requests'}`
  const title = `${requests} in ${formatMs(duration_ms)}`
  const { average_ms: average, p95_ms: p95, slowest_ms: slowest } = summary
  if (average === undefined || p95 === undefined || slowest === undefined) return title
  return `${title}: average ${formatMs(average)}, p95 ${formatMs(p95)}, slowest ${formatMs(slowest)}`
}

/** A bar per bucket of request times. */
export function renderDistribution({ distribution, summary }: PerformanceReport, paint: Paint): string[] {
  if (summary.requests === 0) return []
  const most = Math.max(...distribution.map(({ count }) => count))
  const digits = String(most).length
  return distribution.map(({ label, count, percent }) => {
    const length = Math.max(count > 0 ? 1 : 0, Math.round((count / most) * widestBar))
    const bar = paint(36, '█'.repeat(length)) + ' '.repeat(widestBar - length)
    return `${paint(2, label.padEnd(9))}  ${bar}  ${String(count).padStart(digits)}  ${String(percent).padStart(3)} %`
  })
}
