import { checkOptions, DEFAULT_OUTPUT, reportEntries, settings } from '../../contract/options.ts'
import type { Settings } from '../../contract/options.ts'

const schema = settings(reportEntries)

/** Options of the reporter. */
export type ReporterOptions = Settings<typeof reportEntries>

/** Options of the reporter with the folder filled in. */
export type ResolvedReporterOptions = ReporterOptions & { outputDir: string }

/** Fills in the folder; throws a sentence that names every unknown or wrong option. */
export function resolveReporterOptions(options: ReporterOptions = {}): ResolvedReporterOptions {
  checkOptions(schema, options, { whose: 'the reporter' })
  return { ...options, outputDir: options.outputDir ?? DEFAULT_OUTPUT }
}
