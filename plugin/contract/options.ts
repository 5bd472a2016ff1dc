import * as v from 'valibot'
import { isInstalled } from '../../src/interpolation/load-optional.ts'
import type { JsonObject } from '../../src/json.ts'
import type { DefaultsInput } from '../../src/suite/schema/schema.ts'
import { isTemplate, STATUS_CLASS } from '../../src/suite/schema/patterns.ts'
import {
  anyMap,
  closed,
  documented,
  either,
  flag,
  limit,
  LONGEST,
  milliseconds,
  whole,
  names,
  text,
} from '../../src/suite/schema/schema-parts.ts'
import { readMilliseconds } from '../../src/text/units.ts'
import { ENV_PREFIX } from '../../src/suite/compat/env-prefix.ts'
import { describeIssue } from '../../src/suite/schema/describe-issue.ts'

const count = (least: number) =>
  v.pipe(
    v.number('a whole number'),
    v.integer('a whole number'),
    v.minValue(least, `a whole number, ${least} or more`),
  )

/** Milliseconds after which something is given up, as long as a timer can wait. */
const patience = whole(1, LONGEST, ' of milliseconds')

const retryMap = closed({
  max_attempts: count(1),
  base_delay_ms: v.optional(milliseconds),
  max_delay_ms: v.optional(milliseconds),
  backoff: v.optional(v.picklist(['fixed', 'exponential'], '`fixed` or `exponential`')),
  on: v.optional(
    v.union(
      [v.array(v.union([count(100), v.pipe(v.string(), v.regex(STATUS_CLASS))])), count(100), text],
      'a status code or class, a list of them, or a condition',
    ),
  ),
  until: v.optional(text),
})

const retry = either([count(1), retryMap], 'a number of attempts, or a map with `max_attempts`', (input) =>
  typeof input === 'number' ? 0 : typeof input === 'object' && input !== null ? 1 : -1,
)

const limits = closed({
  fileSize: v.optional(documented(count(1), 'Bytes of a suite file; default 10 MB.')),
  body: v.optional(documented(count(1), 'Bytes of a response body after decoding; default 50 MB.')),
  bodies: v.optional(
    documented(count(1), 'Bytes that the bodies of all suites in flight may hold together; default 256 MB.'),
  ),
  head: v.optional(documented(count(1), 'Bytes of a response head; default 64 KiB.')),
  encodings: v.optional(documented(count(0), 'Content encodings of a response body; default 5.')),
  informational: v.optional(documented(count(0), 'Informational (1xx) answers to a request; default 1000.')),
  interpolation: v.optional(documented(count(1), 'Characters of an interpolated text; default 10 MB.')),
  expression: v.optional(
    documented(
      patience,
      'Milliseconds an expression, pattern, path or generated value may take; default 1000.',
    ),
  ),
  each: v.optional(documented(patience, 'Milliseconds an `each` check may take; default 10000.')),
  reportBody: v.optional(documented(count(0), 'Bytes of a body that reports keep; default 64 KiB.')),
  blocked: v.optional(
    documented(patience, 'Milliseconds for which the worker may stand still; default 30000.'),
  ),
  suite: v.optional(documented(patience, 'Milliseconds a whole suite may take; default 600000.')),
  memory: v.optional(
    documented(count(1), 'Megabytes expressions may use; default 512, or 32 with the sandbox `quickjs`.'),
  ),
})

const thresholds = v.pipe(
  v.record(v.string(), v.number('a number')),
  v.metadata({
    description: 'Largest values that pass; of `success_rate` and `requests_per_second` the smallest.',
  }),
)

const report = closed({
  outputDir: v.optional(text),
  thresholds: v.optional(thresholds),
  baseline: v.optional(text),
  har: v.optional(flag),
  performance: v.optional(v.picklist(['short', 'full'], '`short` or `full`')),
})

const redact = v.union(
  [v.literal(false), v.array(v.union([text, v.instance(RegExp)]))],
  'false or a list of names and patterns',
)

const app = closed({ path: text, per: v.optional(v.picklist(['run', 'suite'], '`run` or `suite`')) })

/** A wrong key in a map is named, and not the whole map. */
function isMap(input: unknown): boolean {
  return typeof input === 'object' && input !== null && !Array.isArray(input)
}

/** What `suites()` takes; every key is optional. */
export const optionsSchema = closed({
  include: v.optional(names),
  exclude: v.optional(names),
  variables: v.optional(anyMap),
  defaults: v.optional(anyMap),
  environment: v.optional(text),
  files: v.optional(names),
  app: v.optional(
    either([text, app], 'the path of a module, or `{ path, per }`', (input) =>
      typeof input === 'string' ? 0 : isMap(input) ? 1 : -1,
    ),
  ),
  extend: v.optional(text),
  timeout: v.optional(limit),
  retry: v.optional(retry),
  follow_redirects: v.optional(v.union([flag, count(0)], 'true, false or the number of redirects to follow')),
  on_failure: v.optional(
    v.picklist(['skip-dependents', 'stop', 'continue'], '`skip-dependents`, `stop` or `continue`'),
  ),
  prerequisites: v.optional(v.picklist(['needed', 'all', 'none'], '`needed`, `all` or `none`')),
  unresolved: v.optional(v.picklist(['literal', 'error'], '`literal` or `error`')),
  compat: v.optional(v.picklist(['flow-test'], '`flow-test`')),
  redact: v.optional(redact),
  limits: v.optional(limits),
  sandbox: v.optional(v.picklist(['vm', 'quickjs'], '`vm` or `quickjs`')),
  seed: v.optional(count(0)),
  concurrency: v.optional(count(1)),
  onUnhandled: v.optional(v.picklist(['error', 'warn', 'bypass'], '`error`, `warn` or `bypass`')),
  report: v.optional(
    either([v.literal(false), report], 'false or a map of report options', (input) =>
      input === false ? 0 : isMap(input) ? 1 : -1,
    ),
  ),
})

type Parsed = v.InferInput<typeof optionsSchema>

/** What the user writes in `suites({ … })`. */
export type Options = {
  /** Globs of suite files, relative to the project root. @default ['**\/*.suite.{yaml,yml}'] */
  include?: string[]
  /** Globs of files that are no suites. @default [] */
  exclude?: string[]
  /** Variables of every suite; a suite's own win. @default {} */
  variables?: JsonObject
  /** Headers, params, auth and checks of every request of every suite. @default none */
  defaults?: DefaultsInput
  /** Name of a file in `environments/`, without `.yaml`; SUITECASE_ENV wins. @default an explicit `--mode` */
  environment?: string
  /** Folders, relative to the project root, that `file:` names with a `{{…}}` may lead into. @default none but the suite's own */
  files?: string[]
  /** Module of the application under test, relative to the project root; `per: 'suite'` starts a fresh one for each suite. */
  app?: string | { path: string; per?: 'run' | 'suite' }
  /** Module with functions, operators and hooks of your own, relative to the project root. */
  extend?: string
  /** Limit of a request in ms or as `5s`, from connecting to the last byte. @default 30000 */
  timeout?: number | string
  /** Retry settings of steps that have none. @default none */
  retry?: Parsed['retry']
  /** Whether and how many redirects are followed. @default true (at most 20) */
  follow_redirects?: boolean | number
  /** What a failed step does to the later ones. @default 'skip-dependents' */
  on_failure?: 'skip-dependents' | 'stop' | 'continue'
  /** Which unselected earlier steps run before a selected one. @default 'needed' */
  prerequisites?: 'needed' | 'all' | 'none'
  /** Whether an unresolved `{{…}}` is sent as it stands, or fails the step. @default 'literal' */
  unresolved?: 'literal' | 'error'
  /** Accept suites written for another engine. */
  compat?: 'flow-test'
  /** Further names whose values no output shows; `false` shows everything. @default [] */
  redact?: false | (string | RegExp)[]
  /** Bounds on sizes and times. */
  limits?: Parsed['limits']
  /** Engine of expressions. @default 'vm' */
  sandbox?: 'vm' | 'quickjs'
  /** Seed of generated data. @default a new one for each run */
  seed?: number
  /** How many suites run side by side. @default 32, and 1 of those that share an application in the same process */
  concurrency?: number
  /** What an outgoing request of the application does that no mock answers. @default 'error' in suites with mocks, else 'bypass' */
  onUnhandled?: 'error' | 'warn' | 'bypass'
  /** Where and what to report; `false` writes nothing. */
  report?:
    | false
    | {
        outputDir?: string
        thresholds?: Record<string, number>
        baseline?: string
        har?: boolean
        performance?: 'short' | 'full'
      }
}

/** Options with every default filled in. */
export type ResolvedOptions = Omit<Options, 'app' | 'concurrency' | 'timeout'> & {
  include: string[]
  exclude: string[]
  variables: JsonObject
  timeout: number
  on_failure: NonNullable<Options['on_failure']>
  prerequisites: NonNullable<Options['prerequisites']>
  unresolved: NonNullable<Options['unresolved']>
  app?: { path: string; per: 'run' | 'suite' }
  /** Environment variables that start so are variables. */
  envPrefix?: string
  /** Absolute path of the chosen environment, once the project is known. */
  environmentFile?: string
  /** Suites side by side: all, and those that share an application. */
  concurrency: number
  appConcurrency: number
  seed: number
  /** Folder of reports, also where none are written. */
  outputDir: string
}

/** Globs of suite files when the option names none. */
export const DEFAULT_INCLUDE: string[] = ['**/*.suite.{yaml,yml}']

/** Folder of reports and saved answers when the option names none. */
export const DEFAULT_OUTPUT = '.vitest/suitecase'

/** Fills in the defaults; throws an error naming every unknown or wrong option, the rule and the value. */
export function resolveOptions(options: Options = {}): ResolvedOptions {
  refuseWorkers(options)
  const lines = (v.safeParse(optionsSchema, options).issues ?? []).map((issue) => {
    const { message, hint } = describeIssue(issue, { range: [0, 0] })
    return `${message}${hint ? ` ${hint}` : ''}`
  })
  lines.push(...describeTemplates(options.variables, 'variables'))
  if (lines.length > 0)
    refuse(
      `suitecase: the options of suites() are not valid.\n${lines.map((line) => `  ${line}`).join('\n')}`,
    )
  if (options.extend !== undefined && options.sandbox === 'quickjs')
    refuse(
      'suitecase: the option `extend` needs the sandbox `vm`: its functions run outside of every sandbox.',
    )
  if (options.sandbox === 'quickjs' && !isInstalled('quickjs-emscripten'))
    refuse(
      'suitecase: the sandbox `quickjs` needs the package `quickjs-emscripten`: run `npm install --save-dev quickjs-emscripten`.',
    )
  const { app: written, ...others } = options
  const app = typeof written === 'string' ? { path: written } : written
  return {
    ...others,
    ...(app && { app: { per: 'run', ...app } }),
    ...(options.compat && { envPrefix: ENV_PREFIX }),
    include: options.include ?? DEFAULT_INCLUDE,
    exclude: options.exclude ?? [],
    variables: options.variables ?? {},
    timeout: readMilliseconds(options.timeout) ?? 30_000,
    on_failure: options.on_failure ?? 'skip-dependents',
    prerequisites: options.prerequisites ?? 'needed',
    unresolved: options.unresolved ?? 'literal',
    concurrency: options.concurrency ?? 32,
    appConcurrency: options.concurrency ?? (app?.per === 'suite' ? 32 : 1),
    outputDir: (options.report || undefined)?.outputDir ?? DEFAULT_OUTPUT,
    seed: options.seed ?? Math.floor(Math.random() * 2 ** 31),
  }
}

/** Suites had workers of their own once. */
function refuseWorkers(options: object): void {
  const names = ['pool', 'maxWorkers'].filter((name) => Object.hasOwn(options, name))
  if (names.length === 0) return
  refuse(
    `suitecase: suites() has no option \`${names.join('`, `')}\`: all suites run in one worker, many at the same time. Say how many with \`concurrency\`.`,
  )
}

/** Variables of the plugin are plain values: nothing of a suite is known where they are written. */
function describeTemplates(value: unknown, path: string): string[] {
  if (isTemplate(value))
    return [
      `\`${path}\` holds \`${String(value)}\`, which is not filled in here. Write it under \`variables\` in the suites, in a file they \`use\`, or in a file of \`environments/\`.`,
    ]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => describeTemplates(member, `${path}.${key}`))
}

/** Throws a sentence: a stack would only lead into this package. */
export function refuse(message: string): never {
  const error = new TypeError(message)
  error.stack = `${error.name}: ${message}`
  throw error
}
