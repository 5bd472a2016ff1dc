import * as v from 'valibot'
import { explainBadCondition } from '../../src/interpolation/explain-bad-condition.ts'
import { isInstalled } from '../../src/interpolation/load-optional.ts'
import { hasTemplateInside } from '../../src/interpolation/template.ts'
import { isJsonObject, type Json, type ValuePath } from '../../src/json.ts'
import type { DefaultsInput } from '../../src/suite/schema/schema.ts'
import { isStatus } from '../../src/suite/schema/patterns.ts'
import { retrySchema } from '../../src/suite/schema/schema-request.ts'
import * as s from '../../src/suite/schema/schema-parts.ts'
import { showValue } from '../../src/text/show-value.ts'
import { readMilliseconds } from '../../src/text/units.ts'
import { describeIssues } from '../../src/suite/schema/describe-issue.ts'
import { copyData } from './copy-data.ts'
import { refuse } from './refuse.ts'
import { times, type Thresholds } from '../../src/report/performance/check-thresholds.ts'
import { defaultLimits, type ResolvedLimits } from '../../src/limits.ts'

const count = (least: number) => s.whole(least, Infinity)

/** The input type of a map of optional settings. */
export type Settings<Entries extends v.ObjectEntries> = {
  -readonly [Name in keyof Entries]?: v.InferInput<Entries[Name]>
}

/** Schema of a map of optional settings. */
export function settings<Entries extends v.ObjectEntries>(
  entries: Entries,
): v.GenericSchema<Settings<Entries>> & { entries: Entries } {
  return s.closed(v.partial(v.object(entries)).entries) as never
}

const limits = {
  /** Size of a suite file in bytes. @default 10 MB */
  fileSize: count(1),
  /** Size of a response body in bytes, after decoding. @default 50 MB */
  body: count(1),
  /** Bytes that the response bodies of all running suites may take together. @default 256 MB */
  bodies: count(1),
  /** Characters of an interpolated text. @default 10 MB */
  interpolation: count(1),
  /** How long an expression, pattern, path or generated value may take, in ms or as `2s`. @default 1000 */
  expression: s.limit,
  /** How long an `each` check may take, in ms or as `20s`. @default 10000 */
  each: s.limit,
  /** Bytes of each body that reports keep. @default 64 KiB */
  reportBody: count(0),
  /** How long the worker's event loop may be blocked, in ms or as `1m`. @default 30000 */
  blocked: s.limit,
  /** How long a whole suite may take, in ms or as `15m`. @default 600000 */
  suite: s.limit,
  /** Megabytes expressions may use. @default 512, or 32 with the sandbox `quickjs` */
  memory: s.whole(16, 2048),
}

const figure = v.pipe(v.number('a number'), v.finite('a finite number'), v.minValue(0, 'a number, 0 or more'))

/** Options of the report. */
export const reportEntries = {
  /** Where the reports go, relative to the root. @default '.vitest/suitecase' */
  outputDir: s.text,
  /** The longest times that pass, in ms or as `2s`, and the most flaky steps. */
  thresholds: settings({
    ...Object.fromEntries(times.map((name) => [name, s.either([figure, s.duration])])),
    steps_flaky: figure,
  }) as v.GenericSchema<Thresholds>,
  /** `performance.json` of an earlier run to compare with, relative to the root. */
  baseline: s.text,
  /** Also write `report.har` (HAR 1.2). @default false */
  har: s.flag,
  /** `full` also prints the distribution, suites and slowest requests. @default 'short' */
  performance: s.oneOf('short', 'full'),
}

/** Options of the reporter. */
export type ReporterOptions = Settings<typeof reportEntries>

const entries = {
  /** Globs of suite files, relative to the project root. @default ['**\/*.suite.{yaml,yml}'] */
  include: s.names,
  /** Globs of files that are not suites. @default [] */
  exclude: s.names,
  /** Variables for every suite. A suite's own take precedence. @default {} */
  variables: s.anyMap,
  /** Headers, params, auth and checks for every request of every suite. @default none */
  defaults: s.anyMap as v.GenericSchema<DefaultsInput>,
  /** Name of a file in `environments/`, without `.yaml`. SUITECASE_ENV takes precedence. @default an explicit `--mode` */
  environment: s.text,
  /** Folders, relative to the project root, that a `file:` with a `{{…}}` may lead into. @default only the suite's own */
  files: s.names,
  /** Module of the application under test, relative to the project root. `per: 'suite'` starts a fresh one for each suite. */
  app: s.either(
    [s.text, s.closed({ path: s.text, per: v.optional(s.oneOf('run', 'suite')) })],
    'the path of a module, or `{ path, per }`',
  ),
  /** Module with your own functions, operators and hooks, relative to the project root. */
  extend: s.text,
  /** Time limit of a request in ms or as `5s`, from connecting to the last byte. @default 30000 */
  timeout: s.limit,
  /** Retry settings of steps that have none. @default none */
  retry: retrySchema,
  /** Whether redirects are followed, or how many. @default true (at most 20) */
  follow_redirects: v.union([s.flag, count(0)], 'true, false or the number of redirects to follow'),
  /** What a failed step does to later ones. @default 'skip-dependents' */
  on_failure: s.oneOf('skip-dependents', 'stop', 'continue'),
  /** Which unselected earlier steps run before a selected one. @default 'needed' */
  prerequisites: s.oneOf('needed', 'all', 'none'),
  /** Whether a `{{…}}` without a value is sent as it is, or is an error. @default 'literal' */
  unresolved: s.oneOf('literal', 'error'),
  /** Accept suites written for another engine. */
  compat: s.oneOf('flow-test'),
  /** More names, and patterns of names, whose values no output shows. `false` shows everything. @default [] */
  redact: v.union(
    [v.literal(false), v.array(v.union([s.text, v.instance(RegExp)]))],
    'false or a list of names and patterns',
  ),
  /** Limits on sizes and times. */
  limits: settings(limits),
  /** Engine that evaluates expressions. @default 'vm' */
  sandbox: s.oneOf('vm', 'quickjs'),
  /** Seed of generated data. @default a new one for each run */
  seed: count(0),
  /** How many suites run at once. @default 32, or 1 for those that share an app in the same process */
  concurrency: count(1),
  /** What happens to an outgoing request of the application that no mock answers. @default 'error' in suites with mocks, else 'bypass' */
  onUnhandled: s.oneOf('error', 'warn', 'bypass'),
  /** Where and what to report. `false` writes nothing. */
  report: s.either([v.literal(false), settings(reportEntries)], 'false or a map of report options'),
}

/** What `suites()` takes; every key is optional. */
export const optionsSchema = settings(entries)

/** What the user writes in `suites({ … })`. */
export type Options = Settings<typeof entries>

/** Folder of reports and saved responses if the option names none. */
export const DEFAULT_OUTPUT = '.vitest/suitecase'

const DEFAULTS = {
  include: ['**/*.suite.{yaml,yml}'],
  exclude: [],
  variables: {},
  on_failure: 'skip-dependents',
  prerequisites: 'needed',
  unresolved: 'literal',
  concurrency: 32,
} as const satisfies Options

/** Globs of suite files if the option names none. */
export const DEFAULT_INCLUDE: readonly string[] = DEFAULTS.include

/** Options with every default filled in. */
export type ResolvedOptions = Omit<Options, 'app' | 'limits' | 'timeout'> &
  Required<Pick<Options, keyof typeof DEFAULTS>> & {
    timeout: number
    limits: ResolvedLimits
    app?: { path: string; per: 'run' | 'suite' }
    /** The `variables` that hold templates. `variables` has the others. */
    templates?: Record<string, Json>
    /** Absolute path of the chosen environment. Set once the project is known. */
    environmentFile?: string
    /** How many of the suites that share an application run at the same time. */
    appConcurrency: number
    outputDir: string
  }

/** Fills in the defaults. Throws an error that names every unknown or wrong option, with the rule and the value. */
export function resolveOptions(options: Options = {}): ResolvedOptions {
  checkOptions(optionsSchema, options, {
    whose: 'suites()',
    describe: () => [
      ...describeData('variables', options.variables),
      ...describeRetry(options.retry),
      ...describeData('defaults', options.defaults),
    ],
  })
  if (options.extend !== undefined && options.sandbox === 'quickjs')
    refuse('suitecase: the option `extend` needs the sandbox `vm`: its functions run outside any sandbox.')
  if (options.sandbox === 'quickjs' && !isInstalled('quickjs-emscripten'))
    refuse(
      'suitecase: the sandbox `quickjs` needs the package `quickjs-emscripten`: run `npm install --save-dev quickjs-emscripten`.',
    )
  const { app: written, timeout, limits = {}, ...others } = dropUnset(options)
  const app = typeof written === 'string' ? { path: written } : written
  const given = Object.entries(limits).map(([name, written]) => [name, readMilliseconds(written)])
  const { filled, plain = [] } = Object.groupBy(
    Object.entries(dropUnset(others.variables ?? {})),
    ([, value]) => (hasTemplateInside(value) ? 'filled' : 'plain'),
  )
  return {
    ...DEFAULTS,
    ...others,
    variables: Object.fromEntries(plain),
    ...(filled && { templates: Object.fromEntries(filled) }),
    ...(app && { app: { ...app, per: app.per ?? 'run' } }),
    timeout: readMilliseconds(timeout) ?? 30_000,
    limits: { ...defaultLimits, ...Object.fromEntries(given) },
    appConcurrency: others.concurrency ?? (app?.per === 'suite' ? DEFAULTS.concurrency : 1),
    outputDir: (others.report || undefined)?.outputDir ?? DEFAULT_OUTPUT,
  }
}

/** Drops undefined members, such as the value of an environment variable that is not set. */
function dropUnset<Map extends object>(map: Map): Map {
  return Object.fromEntries(Object.entries(map).filter(([, value]) => value !== undefined)) as Map
}

/** Throws an error that lists every unknown or wrong option, and the problems that `describe` finds besides. */
export function checkOptions(
  schema: v.GenericSchema,
  options: unknown,
  { whose, describe = () => [] }: { whose: string; describe?: () => readonly string[] },
): void {
  if (!isJsonObject(options))
    refuse(`suitecase: expected the options of ${whose} to be an object, got ${showValue(options as Json)}.`)
  const { issues: found = [] } = v.safeParse(schema, options, { abortPipeEarly: true })
  const issues = describeIssues(found, { range: [0, 0] }).map(
    ({ message, hint }) => `${message}${hint ? ` ${hint}` : ''}`,
  )
  // A value that fits none of several forms has an issue for each form, often with the same words.
  const lines = [...new Set([...issues, ...describe()])].map((line) => `  ${line}`)
  if (lines.length > 0) refuse(`suitecase: the options of ${whose} are not valid.\n${lines.join('\n')}`)
}

/** Mistakes in the option `retry` that its schema allows in a suite: templates, which nothing would fill in, and bad conditions. */
function describeRetry(retry: unknown): string[] {
  const parts: [string, unknown][] = typeof retry === 'object' ? Object.entries(retry ?? {}) : [['', retry]]
  return parts.flatMap(([key, value]) => {
    if (hasTemplateInside(value))
      return `\`${key ? `retry.${key}` : 'retry'}\` contains \`${String(value)}\`, which is not filled in here. Write it under \`retry\` in the suites.`
    const isCondition = /^(?:on|until)$/.test(key) && typeof value === 'string' && !isStatus(value)
    const problem = isCondition ? explainBadCondition(value) : undefined
    return problem ? `\`retry.${key}\`: ${problem.message}` : []
  })
}

/** Values in an option that are no data. */
function describeData(name: string, data: unknown): string[] {
  const mistakes: string[] = []
  const refuseData = (path: ValuePath, reason: string): void =>
    void mistakes.push(`Expected \`${[name, ...path].join('.')}\` to be data, got ${reason}.`)
  copyData(data, {
    take: (value, path) => {
      // A check against `undefined` would silently check nothing.
      const isLost = value === undefined && name === 'defaults' && path[0] === 'assert' && path.length > 1
      if (isLost || value instanceof Date) refuseData(path, isLost ? 'undefined' : 'a date')
      return value instanceof Date ? { value: undefined } : undefined
    },
    refuse: refuseData,
  })
  return mistakes
}
