import type { Reporter, Vitest } from 'vitest/node'
import type { ResolvedOptions } from './options.ts'
import SuitecaseReporter from './reporter.ts'
import { settleDead } from './reporter/settle-dead.ts'

/** What the reporters of a project of suites work with. */
export type ReportSource = {
  options: Pick<ResolvedOptions, 'report' | 'redact'>
  /** Values that no output file may contain, told by the workers. */
  secrets: ReadonlySet<string>
}

/**
 * Adds the reporter of suites to those of the user and of the command line, unless it is there (by hand, or from
 * another project of the workspace) or not wanted, and the plugin's `own`.
 */
export function addReporters(vitest: Vitest, source: ReportSource, own: readonly Reporter[]): void {
  const reporters = vitest.config.reporters as unknown[]
  const present = reporters.flat()
  const reporter =
    present.find((each) => each instanceof SuitecaseReporter) ?? createReporter(present, source)
  reporter?.addSecrets(() => source.secrets)
  reporters.unshift(settleDead())
  reporters.push(...own)
  if (reporter && !present.includes(reporter)) reporters.push(reporter)
}

function createReporter(
  present: readonly unknown[],
  { options: { report, redact } }: ReportSource,
): SuitecaseReporter | undefined {
  if (report === false || present.includes('suitecase/reporter')) return undefined
  return new SuitecaseReporter({ ...report, ...(redact !== undefined && { redact }) })
}
