import * as v from 'valibot'
import * as s from './schema-parts.ts'
import { listRange, MOST_ITERATIONS, RANGE } from './patterns.ts'
import { assertSchema, captureSchema } from './schema-checks.ts'

const range = v.pipe(
  v.string('a range such as "1..5"'),
  v.regex(RANGE, 'a range of whole numbers such as "1..5"'),
  v.check((written) => listRange(written) !== undefined, `a range of at most ${MOST_ITERATIONS} numbers`),
)

const loopName = v.pipe(
  s.variableName,
  v.check((name) => name !== 'index', 'a name other than `index`, which counts the iterations'),
  v.metadata({ not: { const: 'index' } }),
)

export const iterateSchema = s.oneKeyOf(
  s.closed(
    {
      over: s.optional(
        s.either([v.array(s.anyJson), s.template], 'a list or one "{{variable}}"'),
        'A list, or a variable that holds one.',
      ),
      range: s.optional(s.orTemplate(range), 'Whole numbers with both ends: "1..5", "5..1", "1..{{pages}}".'),
      as: s.documented(loopName, 'Name of the loop variable.'),
    },
    '`{over: list or "{{variable}}", as: name}` or `{range: "1..5", as: name}`',
  ),
  'over',
  'range',
)

export const callSchema = s.closed({
  suite: s.documented(s.text, 'Suite file (relative to this one) or node id.'),
  step: s.optional(s.text, 'Id or name of the step to run; default: the whole suite.'),
  variables: s.optional(s.anyMap, 'Variables passed to the called suite.'),
})

const branch = s.closed(
  {
    assert: v.optional(assertSchema),
    capture: v.optional(captureSchema),
    variables: s.optional(s.anyMap, 'Variables that are set only in this branch.'),
  },
  'a map with `assert`, `capture` or `variables`',
)

const CONDITION = 'a JMESPath condition or `{{js: …}}` in quotes'
const condition = v.pipe(v.string(CONDITION), v.regex(/\S/, CONDITION))

const scenario = s.told(
  s.closed(
    {
      name: s.optional(s.text, 'For readers only.'),
      condition: s.documented(condition, 'JMESPath over the response and `variables`, or {{js: …}}.'),
      // oxlint-disable-next-line unicorn/no-thenable -- the format's own word, and never a function
      then: s.optional(branch, 'Used if the condition holds.'),
      else: s.optional(branch, 'Used if the condition does not hold.'),
    },
    'a scenario `{condition, then, else}`',
  ),
  { anyOf: s.requireEach(['then', 'else']) },
)

export const scenariosSchema = v.pipe(
  v.array(scenario, 'a list of scenarios'),
  v.minLength(1, 'a list with at least one scenario'),
)

const mockUrl = v.pipe(
  v.string('a string'),
  v.nonEmpty('a non-empty string'),
  v.regex(/\{\{|^\*|^[^/?#\s]+:\/\//, 'an absolute URL such as `https://host/path` or `*/path`'),
)

const asked = s.closed({
  params: s.optional(s.anyMap, 'Query parameters that the request must have; others are allowed.'),
  headers: s.optional(s.anyMap, 'Headers that the request must have; others are allowed.'),
  body: s.optional(s.anyJson, 'Part of the JSON or form body; a string must be the whole body.'),
})

const mockStatus = s.either([s.whole(200, 599), s.template], 'a status from 200 to 599')
const answer = s.closed({
  status: s.optional(mockStatus, 'Status of the response; default: 200.'),
  headers: s.optional(s.anyMap, 'Headers of the response; a list sends a header several times.'),
  body: s.optional(s.anyJson, 'A map or list is sent as JSON, a string as it is.'),
  file: s.optional(s.text, 'A file to send, relative to the suite; its extension gives the type.'),
  delay_ms: s.optional(s.milliseconds, 'Wait before the response.'),
  error: s.optional(s.oneOf('network', 'timeout'), 'Resets the connection (network), or never answers.'),
})

const mock = s.closed({
  method: s.optional(s.method, 'HTTP method; default: any.'),
  url: s.documented(mockUrl, 'Absolute URL; `*` and `:name` match as in MSW.'),
  when: s.optional(asked, 'What else a request must have to match, besides method and URL.'),
  respond: s.optional(
    s.either([v.literal('passthrough', '`passthrough`'), answer], '`passthrough` or a map'),
    'The response, or `passthrough` to let the request go to the network; without it, the mock expects the request but does not answer it.',
  ),
  times: s.optional(s.whole(0, 1_000_000), 'How many times exactly the mock must be called.'),
})

export const mocksSchema = s.documented(
  v.array(mock, 'a list of mocks'),
  'Responses of other services to requests of the application.',
)

export type MockInput = v.InferInput<typeof mock>
