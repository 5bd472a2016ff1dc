import { join } from 'node:path/posix'
import { stripVTControlCharacters } from 'node:util'
import type { Vitest } from 'vitest/node'
import type { PerformanceReport } from '../../../src/report/performance/compute-performance.ts'
import type { SuiteFigures } from '../../../src/report/performance/figures.ts'
import {
  renderFigures,
  renderLine,
  renderPerformanceText,
} from '../../../src/report/performance/render-performance.ts'
import { countOf, formatMs } from '../../../src/text/units.ts'
import { isReportOnStdout, isTerse } from './uses-reporter.ts'

type Summary = {
  /** For all suites in the reports. */
  report: PerformanceReport
  /** For the suites that ran. Without thresholds and baseline if those are not all suites. */
  own: PerformanceReport
  ran: readonly SuiteFigures[]
  environment: string | undefined
  /** Path of the reports, relative to the working directory. */
  directory: string
  isFull: boolean
}

/** Prints figures, flaky steps, the environment and where the reports are. A coding agent only gets the failures' path. */
export function printSummary(vitest: Vitest, { report, own, ran, isFull, ...summary }: Summary): void {
  const { logger } = vitest
  const directory = summary.directory.replaceAll('\\', '/')
  const seed = ran.find((suite) => suite.seed !== undefined)?.seed
  if (isTerse(vitest)) {
    const repeat = seed === undefined ? '' : ` (seed ${seed})`
    if (report.status === 'failure') logger.log(`Failures: ${join(directory, 'failures.json')}${repeat}`)
    return
  }
  const lines: [label: string, text: string][] = []
  if (!isFull) {
    lines.push(['Performance', renderFigures(own)])
    const { before_ms: before, change_percent: change } = own.baseline ?? {}
    if (before !== undefined && change !== undefined)
      lines.push(['Baseline', `average ${formatMs(before)} before, ${change > 0 ? '+' : ''}${change} %`])
  }
  const flaky = describeFlaky(ran)
  if (flaky !== undefined) lines.push(['Flaky', flaky])
  if (seed !== undefined) lines.push(['Seed', `${seed} (option \`seed\` repeats the generated data)`])
  if (summary.environment !== undefined) lines.push(['Environment', summary.environment])
  lines.push(['Report', join(directory, 'index.html')])
  const figures = isFull ? [renderPerformanceText(own, logger.getColumns())] : []
  const rest = lines.map(([label, text]) => renderLine(label, text))
  const text = `\n${[...figures, ...rest].join('\n')}\n`
  const stream = logger.outputStream as Partial<NodeJS.WriteStream>
  const isPlain = process.env['NO_COLOR'] || process.argv.includes('--no-color') || !stream.hasColors?.()
  const print = isReportOnStdout(vitest) ? 'warn' : 'log'
  logger[print](isPlain ? stripVTControlCharacters(text) : text)
}

const MOST_FLAKY = 10

/** How many steps did not pass the first time, and where they are. Undefined if there are none. */
function describeFlaky(suites: readonly SuiteFigures[]): string | undefined {
  const flaky = suites.flatMap(({ file_path, steps }) =>
    steps.filter((step) => step.flaky).map(({ line }) => `${file_path}:${line}`),
  )
  if (flaky.length === 0) return undefined
  const places = [...new Set(flaky)]
  const rest = places.length - MOST_FLAKY
  const more = rest > 0 ? `, and ${countOf(rest, 'more place')}` : ''
  return `${flaky.length} passed, but not on the first attempt: ${places.slice(0, MOST_FLAKY).join(', ')}${more}`
}
