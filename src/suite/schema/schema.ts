import * as v from 'valibot'
import { readTime } from '../../assertion/operators/time.ts'
import { assertSchema, captureSchema } from './schema-checks.ts'
import * as s from './schema-parts.ts'
import { callSchema, iterateSchema, mocksSchema, scenariosSchema } from './schema-flow.ts'
import { authSchema } from './schema-auth.ts'
import { connectionFields, redirects, requestSchema, retrySchema } from './schema-request.ts'
import { answerFields, exchangeFields } from './schema-exchange.ts'

/** A tag as Vitest accepts it, since it is used in expressions such as `--tags-filter "auth and not slow"`. */
const tagSchema = v.pipe(
  v.string('a tag (a string)'),
  v.regex(/^[^\s!()*|&]+$/, 'a tag without spaces, `!`, `(`, `)`, `*`, `|` or `&`'),
  v.check((tag) => !/^(?:and|or|not)$/i.test(tag), 'a tag other than `and`, `or` or `not`'),
  v.metadata({ not: { pattern: '^([aA][nN][dD]|[oO][rR]|[nN][oO][tT])$' } }),
)

const when = s.either([s.flag, s.condition], 'true, false or a condition')
const skipMap = s.closed({
  when: s.documented(when, 'true or a JavaScript condition.'),
  reason: s.optional(s.text, 'Reason shown in the report.'),
})

const skipSetting = s.either([s.flag, s.condition, skipMap], 'true, false, a condition, or `{when, reason}`')

const description = v.string('a string')
const stepId = v.pipe(v.string('a string'), v.regex(/^[\w.-]+$/, 'letters, digits, `-`, `_` and `.`'))

export const stepSchema = s.told(
  s.closed({
    name: s.documented(s.text, 'Name of the test.'),
    description: s.optional(description, 'For readers only.'),
    tags: s.optional(v.array(tagSchema, 'a list of tags'), 'Vitest tags of this test.'),
    variables: s.optional(s.anyMap, 'Variables of this step only; they override all others.'),
    todo: s.optional(s.flag, 'Marks the test as still to be written; such a step needs only a name.'),
    step_id: s.optional(stepId, 'Id of the step; default: `step-<n>-<slug of the name>`.'),
    request: v.optional(requestSchema),
    ...answerFields,
    ...exchangeFields,
    assert: v.optional(assertSchema),
    capture: v.optional(captureSchema),
    scenarios: s.optional(scenariosSchema, 'Checks and captures by response; the first match counts.'),
    retry: v.optional(retrySchema),
    skip: s.optional(skipSetting, 'Skips the test: true, a JavaScript condition, or a map with a reason.'),
    iterate: s.optional(iterateSchema, 'Runs the step once for each item of a list or range.'),
    call: s.optional(callSchema, 'Runs another suite, or one of its steps, instead of sending a request.'),
    continue_on_failure: s.optional(s.flag, 'If this step fails, steps that need its captures run anyway.'),
    delay_ms: s.optional(s.orTemplate(s.milliseconds), 'Wait before the request.'),
    advance: s.optional(s.duration, 'Moves the clock of the suite forward before the request.'),
    mocks: v.optional(mocksSchema),
    debug: s.optional(s.flag, 'Prints the request and response even if the step passes.'),
    only: s.optional(s.flag, 'Runs only the steps marked with `only`, and the steps they need.'),
  }),
  { anyOf: s.requireEach(['request', 'websocket', 'call', 'todo', 'skip']) },
)

export interface StepInput extends v.InferInput<typeof stepSchema> {}
const step = stepSchema as v.GenericSchema<StepInput>
const stepList = v.array(step, 'a list of steps')

const metadata = s.closed({
  priority: s.optional(s.oneOf('critical', 'high', 'medium', 'low'), 'Higher runs first; default: medium.'),
  tags: s.optional(v.array(tagSchema, 'a list of tags'), 'Vitest tags of all tests, for --tags-filter.'),
  estimated_duration_ms: s.optional(s.milliseconds, 'For readers only.'),
})

const TIME = 'a date and time with a time zone, such as 2026-01-01T00:00:00Z'
const clock = v.pipe(
  v.string(TIME),
  v.check((input) => readTime(input) !== undefined, TIME),
)

const eachSchema = s.either(
  [
    v.pipe(v.array(s.anyMap, 'a list of rows'), v.minLength(1, 'a list with at least one row')),
    s.closed({ file: s.documented(s.text, 'A .csv, .json or .yaml file, relative to the suite.') }),
  ],
  'a list of rows, or `{file: rows.csv}`',
)

export const defaultsSchema = s.closed({
  headers: s.optional(v.nullable(s.fields), 'Headers of every request.'),
  params: s.optional(v.nullable(s.fields), 'Query parameters of every request.'),
  auth: s.optional(v.nullable(authSchema), 'Credentials for `base_url`; a login step needs `auth: none`.'),
  assert: s.optional(v.nullable(assertSchema), 'Checks on each response; a step overrides them one by one.'),
})

export type DefaultsInput = v.InferInput<typeof defaultsSchema>

const onFailure = s.oneOf('skip-dependents', 'stop', 'continue')
const namespaces = s.mapOf(s.fixedText, 'a map of prefixes to URIs')

const sharedFields = {
  base_url: s.optional(s.text, 'Relative URLs are appended to this URL.'),
  variables: s.optional(s.anyMap, 'Variables of the suite; values may be nested and refer to each other.'),
  defaults: s.optional(defaultsSchema, 'Defaults for all steps; their own values win, `null` removes one.'),
  timeout: s.optional(s.orTemplate(s.limit), 'Default timeout of the requests.'),
  retry: v.optional(retrySchema),
  follow_redirects: s.optional(redirects, 'Whether all steps follow redirects, and how many.'),
  cookies: s.optional(s.flag, 'Keeps cookies from step to step; default: false.'),
  on_failure: s.optional(onFailure, 'What a failed step does to later ones; default: skip-dependents.'),
  prerequisites: s.optional(s.oneOf('needed', 'all'), 'What runs before chosen steps; default: needed.'),
  redact: s.optional(s.names, 'Names of variables, captures and headers whose values are hidden in reports.'),
  ...connectionFields,
  xml_namespaces: s.optional(namespaces, 'Namespaces of the prefixes used in XPath.'),
  mocks: v.optional(mocksSchema),
}

/** A file named in `use`. */
export const fragmentSchema = s.closed(sharedFields)

const secrets = s.mapOf(v.pipe(s.text, s.filled), 'a map of names to strings such as "{{$env.PASSWORD}}"')

/** A file of `environments/`. */
export const environmentSchema = s.closed({
  base_url: sharedFields.base_url,
  variables: sharedFields.variables,
  defaults: sharedFields.defaults,
  secrets: s.optional(secrets, 'Variables whose values no output shows.'),
})

const nodeId = v.pipe(
  v.string('a string'),
  v.regex(/^[\w-]+$/, 'letters, digits, `-` and `_`'),
  v.check((id) => id !== '__proto__', 'a name other than `__proto__`'),
)
const steps = v.pipe(stepList, v.minLength(1, 'a list with at least one step'))

/** The suite file: the single source of the types and `schema.json`. */
export const suiteSchema = s.closed({
  suite_name: s.documented(s.text, 'Name of the describe block.'),
  node_id: s.optional(nodeId, 'Name under which others read the exports; default: from the file name.'),
  description: s.optional(description, 'For readers only.'),
  metadata: s.optional(metadata, 'Priority, tags, estimated duration.'),
  exports: s.optional(s.names, 'Variables that other suites may read as {{node_id.name}}.'),
  depends: s.optional(s.names, 'Node ids of suites that must run before this one.'),
  ...sharedFields,
  use: s.optional(s.names, 'Files with shared settings; later ones override earlier ones, the suite all.'),
  skip: s.optional(skipSetting, 'Skips the whole suite: true, or a condition over its variables.'),
  clock: s.optional(clock, 'The time that `Date` returns while the suite runs.'),
  setup: s.optional(stepList, 'Steps that run before the others.'),
  teardown: s.optional(stepList, 'Steps that always run at the end.'),
  each: s.optional(eachSchema, 'Runs the suite once for each row; the keys of a row become variables.'),
  steps: s.documented(steps, 'The steps, in order.'),
})

export type SuiteInput = v.InferInput<typeof suiteSchema>
export type RequestFields = v.InferInput<typeof requestSchema>
export type RetryInput = v.InferInput<typeof retrySchema>
