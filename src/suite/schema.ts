import * as v from 'valibot'
import type { JsonObject } from '../json.ts'
import {
  anyJson,
  anyMap,
  closed,
  condition,
  documented,
  flag,
  milliseconds,
  names,
  template,
  text,
} from './schema-parts.ts'

const redirects = v.union(
  [flag, v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100))],
  'true, false or the number of redirects to follow',
)

const auth = closed({
  basic: v.optional(
    documented(closed({ username: anyJson, password: anyJson }), 'HTTP Basic credentials (RFC 7617).'),
  ),
  bearer: v.optional(documented(v.string('a text'), 'Bearer token (RFC 6750).')),
})

const request = closed({
  method: v.optional(documented(text, 'HTTP method; default GET.')),
  url: documented(v.string('a text'), 'Absolute, or relative to `base_url`.'),
  params: v.optional(documented(anyMap, 'Query parameters; a list repeats the name.')),
  headers: v.optional(documented(anyMap, 'Request headers; null removes a default header.')),
  body: v.optional(
    documented(anyJson, 'Map or list: JSON (or a form, by content type); text: sent as it is.'),
  ),
  form: v.optional(documented(anyMap, 'Body as application/x-www-form-urlencoded.')),
  multipart: v.optional(
    documented(anyMap, 'Body as multipart/form-data; `{file, type, filename}` sends a file.'),
  ),
  file: v.optional(documented(text, 'Body from a file, relative to the suite.')),
  auth: v.optional(auth),
  timeout: v.optional(milliseconds),
  follow_redirects: v.optional(redirects),
})

const retry = closed({
  max_attempts: documented(
    v.pipe(
      v.number('a whole number'),
      v.integer('a whole number'),
      v.minValue(1, 'at least 1'),
      v.maxValue(1000, 'at most 1000'),
    ),
    'How often the request is sent at most.',
  ),
  base_delay_ms: v.optional(documented(milliseconds, 'Wait before the second attempt; default 1000.')),
  max_delay_ms: v.optional(documented(milliseconds, 'Longest wait between attempts; default 30000.')),
  backoff: v.optional(v.picklist(['fixed', 'exponential'], '`fixed` or `exponential`')),
  on: v.optional(
    documented(
      v.union(
        [v.array(v.pipe(v.number(), v.integer()), 'a list of status codes'), condition],
        'a list of status codes or a condition',
      ),
      'Repeat only for these statuses, or while this condition holds.',
    ),
  ),
  until: v.optional(documented(condition, 'Repeat until this condition holds.')),
})

const iterate = v.union(
  [
    closed({ over: v.union([v.array(anyJson), template]), as: text }),
    closed({ range: v.pipe(v.string(), v.regex(/^-?\d+\.\.-?\d+$/)), as: text }),
  ],
  '`{over: list or "{{variable}}", as: name}` or `{range: "1..5", as: name}`',
)

const call = closed({
  suite: documented(text, 'Suite file (relative to this one) or node id.'),
  step: v.optional(documented(text, 'Id or name of one step; default: the whole suite.')),
  variables: v.optional(documented(anyMap, 'Inputs of the called suite.')),
})

const mock = closed({
  method: v.optional(text),
  url: documented(text, 'Absolute URL; `*` and `:name` match as in MSW.'),
  when: v.optional(
    closed({ params: v.optional(anyMap), headers: v.optional(anyMap), body: v.optional(anyJson) }),
  ),
  respond: v.optional(
    closed({
      status: v.optional(
        v.union(
          [v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599)), template],
          'a status from 200 to 599',
        ),
      ),
      headers: v.optional(anyMap),
      body: v.optional(anyJson),
      delay_ms: v.optional(milliseconds),
      error: v.optional(v.picklist(['network', 'timeout'], '`network` or `timeout`')),
    }),
  ),
  times: v.optional(
    documented(
      v.pipe(v.number('a whole number'), v.integer('a whole number'), v.minValue(0, '0 or more')),
      'How often it must be called, exactly.',
    ),
  ),
})
const mocks = v.array(mock, 'a list of mocks')

const branch = closed({
  assert: v.optional(anyMap),
  capture: v.optional(anyMap),
  variables: v.optional(anyMap),
})
const scenario = closed({
  name: v.optional(text),
  condition,
  then: v.optional(branch),
  else: v.optional(branch),
})

const stepEntries = {
  name: documented(text, 'Name of the test.'),
  step_id: v.optional(
    documented(
      v.pipe(text, v.regex(/^[\w.-]+$/, 'letters, digits, `-`, `_` and `.`')),
      'Default: `step-<n>-<slug of the name>`.',
    ),
  ),
  request: v.optional(request),
  assert: v.optional(documented(anyMap, 'Checks on status_code, headers, body, response_time_ms, custom.')),
  capture: v.optional(documented(anyMap, 'Variable name → JMESPath over the response.')),
  scenarios: v.optional(v.array(scenario, 'a list of scenarios')),
  retry: v.optional(retry),
  skip: v.optional(v.union([flag, condition], 'true, false or a condition')),
  iterate: v.optional(iterate),
  call: v.optional(call),
  continue_on_failure: v.optional(flag),
  delay_ms: v.optional(milliseconds),
  advance: v.optional(
    documented(
      v.pipe(v.string(), v.regex(/^\d+(\.\d+)?(ms|s|m|h|d)$/, 'a duration like `90s`, `15m`, `1h` or `2d`')),
      'Moves the suite’s clock on before the request.',
    ),
  ),
  mocks: v.optional(mocks),
  only: v.optional(documented(flag, 'Run only the steps marked so (and what they need).')),
}
const step = closed(stepEntries)

/** The suite file: the one definition from which the types and `schema.json` come. */
export const suiteSchema = closed({
  suite_name: documented(text, 'Name of the describe block.'),
  node_id: v.optional(
    documented(
      v.pipe(text, v.regex(/^[\w-]+$/, 'letters, digits, `-` and `_`')),
      'Short name under which other suites read the exports; default: from the file name.',
    ),
  ),
  description: v.optional(v.string('a text')),
  metadata: v.optional(
    closed({
      priority: v.optional(
        v.picklist(['critical', 'high', 'medium', 'low'], '`critical`, `high`, `medium` or `low`'),
      ),
      tags: v.optional(names),
      estimated_duration_ms: v.optional(milliseconds),
    }),
  ),
  base_url: v.optional(documented(v.string('a text'), 'What relative step urls are joined to.')),
  variables: v.optional(documented(anyMap, 'Suite variables; values may nest and refer to each other.')),
  exports: v.optional(
    documented(names, 'Captured variables that other suites may read as {{node_id.name}}.'),
  ),
  depends: v.optional(documented(names, 'Node ids of suites that must run first.')),
  timeout: v.optional(documented(milliseconds, 'Default request timeout of the steps.')),
  retry: v.optional(retry),
  follow_redirects: v.optional(redirects),
  cookies: v.optional(documented(flag, 'Keep cookies from step to step; default false.')),
  on_failure: v.optional(
    v.picklist(['skip-dependents', 'stop', 'continue'], '`skip-dependents`, `stop` or `continue`'),
  ),
  insecure: v.optional(documented(flag, 'Accept any TLS certificate; shown in the report.')),
  redact: v.optional(
    documented(names, 'Names of variables, captures and headers whose values no report may show.'),
  ),
  clock: v.optional(
    documented(
      v.pipe(
        v.string(),
        v.check((input) => !Number.isNaN(Date.parse(input)), 'a date and time such as 2026-01-01T00:00:00Z'),
      ),
      'What `Date` says in this process while the suite runs.',
    ),
  ),
  setup: v.optional(v.array(step, 'a list of steps')),
  teardown: v.optional(v.array(step, 'a list of steps')),
  each: v.optional(
    v.union(
      [v.pipe(v.array(anyMap), v.minLength(1)), closed({ file: text })],
      'a list of rows, or `{file: rows.csv}`',
    ),
  ),
  mocks: v.optional(mocks),
  steps: v.pipe(v.array(step, 'a list of steps'), v.minLength(1, 'a list with at least one step')),
})

/** A suite as its author writes it. */
export type SuiteInput = v.InferInput<typeof suiteSchema>
/** A step as its author writes it. */
export type StepInput = v.InferInput<typeof step>
/** The `request` of a step as its author writes it. */
export type RequestFields = v.InferInput<typeof request>
/** The `retry` settings of a step or suite. */
export type RetryInput = v.InferInput<typeof retry>
/** One mocked upstream request. */
export type MockInput = v.InferInput<typeof mock>
/** The `call` of a step. */
export type CallInput = v.InferInput<typeof call>
/** The `iterate` of a step. */
export type IterateInput = v.InferInput<typeof iterate>

/** What is wrong with a value, as Valibot found it. */
export function findIssues(value: JsonObject): readonly v.BaseIssue<unknown>[] {
  return v.safeParse(suiteSchema, value).issues ?? []
}
