import { resolve } from 'node:path'
import { DEFAULT_OUTPUT } from '../../contract/options.ts'
import { findThresholdProblem, type Thresholds } from '../../../src/report/performance/check-thresholds.ts'

/** Options of the reporter. */
export type ReporterOptions = {
  /** Where the reports go, relative to the root. @default '.vitest/suitecase' */
  outputDir?: string
  /** Limits that fail the run. */
  thresholds?: Thresholds
  /** `performance.json` of an earlier run to compare with, relative to the root. */
  baseline?: string
  /** Also write `report.har` (HAR 1.2). @default false */
  har?: boolean
  /** `full` prints distribution, suites and slowest requests too. @default 'short' */
  performance?: 'short' | 'full'
  /** Names and patterns of further secret fields, or `false` to show everything. */
  redact?: false | readonly (string | RegExp)[]
  /** Values that must be in no output, asked when the run ends. */
  secrets?: () => Iterable<string>
}

export type ResolvedReporterOptions = Required<Omit<ReporterOptions, 'thresholds' | 'baseline'>> &
  Pick<ReporterOptions, 'thresholds' | 'baseline'>

const types: Record<keyof ReporterOptions, (value: unknown) => string | undefined> = {
  outputDir: (value) => (typeof value === 'string' && value !== '' ? undefined : 'a path'),
  thresholds: () => undefined,
  baseline: (value) =>
    typeof value === 'string' && value !== '' ? undefined : 'the path of a `performance.json`',
  har: (value) => (typeof value === 'boolean' ? undefined : 'true or false'),
  performance: (value) => (value === 'short' || value === 'full' ? undefined : '`short` or `full`'),
  redact: (value) =>
    value === false || Array.isArray(value) ? undefined : 'false or a list of names and patterns',
  secrets: (value) => (typeof value === 'function' ? undefined : 'a function that returns the secret values'),
}

/** Fills in the defaults; throws an error that names the first unknown or wrong option, the rule and the value. */
export function resolveReporterOptions(options: ReporterOptions = {}): ResolvedReporterOptions {
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(types, name)) {
      throw new TypeError(
        `suitecase: unknown report option \`${name}\`. Known are ${Object.keys(types).join(', ')}.`,
      )
    }
    const expected = value === undefined ? undefined : types[name as keyof ReporterOptions](value)
    if (expected) {
      throw new TypeError(
        `suitecase: expected the \`report.${name}\` option to be ${expected}, got \`${JSON.stringify(value) ?? typeof value}\` (${typeof value}).`,
      )
    }
  }
  const problem = options.thresholds === undefined ? undefined : findThresholdProblem(options.thresholds)
  if (problem) throw new TypeError(`suitecase: ${problem}`)
  return {
    outputDir: options.outputDir ?? DEFAULT_OUTPUT,
    har: options.har ?? false,
    performance: options.performance ?? 'short',
    redact: options.redact ?? [],
    secrets: options.secrets ?? (() => []),
    ...(options.thresholds ? { thresholds: options.thresholds } : {}),
    ...(options.baseline ? { baseline: options.baseline } : {}),
  }
}

/** Makes a path absolute from the root of the project. */
export function resolveFromRoot(root: string, path: string): string {
  return resolve(root, path)
}
