import * as v from 'valibot'
import { checkOptions, DEFAULT_OUTPUT, redactRule, reportEntries, settings } from '../../contract/options.ts'
import type { Settings } from '../../contract/options.ts'

const entries = {
  ...reportEntries,
  /** Names and patterns of further secret fields, or `false` to show everything. */
  redact: redactRule,
  /** Values that must be in no output, asked when the run ends. */
  secrets: v.custom<() => Iterable<string>>(
    (value) => typeof value === 'function',
    'a function that returns the secret values',
  ),
}

const schema = settings(entries)

/** Options of the reporter. */
export type ReporterOptions = Settings<typeof entries>

/** Options of the reporter with every default filled in. */
export type ResolvedReporterOptions = ReporterOptions &
  Required<Omit<ReporterOptions, 'thresholds' | 'baseline'>>

/** Fills in the defaults; throws a sentence that names every unknown or wrong option. */
export function resolveReporterOptions(options: ReporterOptions = {}): ResolvedReporterOptions {
  checkOptions(schema, options, { whose: 'the reporter' })
  return {
    ...options,
    outputDir: options.outputDir ?? DEFAULT_OUTPUT,
    har: options.har ?? false,
    performance: options.performance ?? 'short',
    redact: options.redact ?? [],
    secrets: options.secrets ?? (() => []),
  }
}
