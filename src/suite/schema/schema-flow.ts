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
  v.check((name) => name !== 'index', 'another name than `index`, which counts the iterations'),
)

/** The `iterate` of a step. */
export const iterateSchema = s.oneKeyOf(
  s.closed(
    {
      over: s.optional(
        s.either([v.array(s.anyJson), s.template], 'a list or one "{{variable}}"'),
        'A list, or a variable that holds one.',
      ),
      range: s.optional(s.orTemplate(range), 'Both ends are included: "1..5", "5..1" or "1..{{pages}}".'),
      as: s.documented(loopName, 'Name of the loop variable.'),
    },
    '`{over: list or "{{variable}}", as: name}` or `{range: "1..5", as: name}`',
  ),
  'over',
  'range',
)

/** The `call` of a step. */
export const callSchema = s.closed({
  suite: s.documented(s.text, 'Suite file (relative to this one) or node id.'),
  step: s.optional(s.text, 'Id or name of one step; default: the whole suite.'),
  variables: s.optional(s.anyMap, 'Inputs of the called suite.'),
})

const branch = s.closed(
  {
    assert: v.optional(assertSchema),
    capture: v.optional(captureSchema),
    variables: s.optional(s.anyMap, 'Variables that are set only here.'),
  },
  'a map with `assert`, `capture` or `variables`',
)

const CONDITION = 'a JMESPath condition or `{{js: …}}` in quotes'
const condition = v.pipe(v.string(CONDITION), v.regex(/\S/, CONDITION))

const scenario = s.told(
  s.closed(
    {
      name: s.optional(s.text, 'For the reader.'),
      condition: s.documented(
        condition,
        'JMESPath over response and `variables`, or {{js: …}}; the first that matches decides.',
      ),
      // oxlint-disable-next-line unicorn/no-thenable -- the format's own word, and never a function
      then: s.optional(branch, 'When the condition holds.'),
      else: s.optional(branch, 'When it does not.'),
    },
    'a scenario `{condition, then, else}`',
  ),
  { anyOf: s.requireEach(['then', 'else']) },
)

/** The `scenarios` of a step. */
export const scenariosSchema = v.pipe(
  v.array(scenario, 'a list of scenarios: start each with a hyphen, `- condition: …`'),
  v.minLength(1, 'a list with at least one scenario'),
)

const mockUrl = v.pipe(
  v.string('a text'),
  v.nonEmpty('a text that is not empty'),
  v.regex(/\{\{|^\*|^[^/?#]+:\/\//, 'an absolute URL such as `https://host/path` or `*/path`'),
)

const asked = s.closed({
  params: s.optional(s.anyMap, 'Query parameters it must have, among others.'),
  headers: s.optional(s.anyMap, 'Headers it must have, among others.'),
  body: s.optional(s.anyJson, 'A part of its JSON or form body; a text is the whole body.'),
})

const mockStatus = s.either([s.whole(200, 599), s.template], 'a status from 200 to 599')
const answer = s.closed({
  status: s.optional(mockStatus, 'Status of the answer; default 200.'),
  headers: s.optional(s.anyMap, 'Headers of the answer; a list sends one several times.'),
  body: s.optional(s.anyJson, 'A map or list is sent as JSON, a text as it is.'),
  delay_ms: s.optional(s.milliseconds, 'Wait before the answer.'),
  error: s.optional(s.oneOf('network', 'timeout'), 'No answer: the connection is reset, or nothing comes.'),
})

const mock = s.closed({
  method: s.optional(s.method, 'HTTP method; default: any.'),
  url: s.documented(mockUrl, 'Absolute URL; `*` and `:name` match as in MSW.'),
  when: s.optional(asked, 'What a request must have beside method and url to be answered.'),
  respond: s.optional(answer, 'The answer; without it nothing answers the request.'),
  times: s.optional(s.whole(0, 1_000_000), 'Exactly how often it must be called.'),
})

/** The `mocks` of a suite or step. */
export const mocksSchema = s.documented(v.array(mock, 'a list of mocks'), 'Answers of other services.')

/** A mocked upstream request as written. */
export type MockInput = v.InferInput<typeof mock>
