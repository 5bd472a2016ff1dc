import * as v from 'valibot'
import * as s from './schema-parts.ts'
import { RANGE } from './patterns.ts'
import { assertSchema, captureSchema } from './schema-checks.ts'

/** The `iterate` of a step. */
export const iterateSchema = v.pipe(
  s.closed(
    {
      over: s.optional(
        s.either([v.array(s.anyJson), s.template], 'a list or one "{{variable}}"'),
        'A list, or a variable that holds one.',
      ),
      range: s.optional(
        s.orTemplate(
          v.pipe(
            v.string('a range such as "1..5"'),
            v.regex(RANGE, 'a range of whole numbers such as "1..5"'),
            v.check(isShortRange, 'a range of at most 10000 numbers'),
          ),
        ),
        'Both ends belong to it: "1..5", "5..1" or "1..{{pages}}".',
      ),
      as: s.documented(s.variableName, 'Name of the loop variable.'),
    },
    '`{over: list or "{{variable}}", as: name}` or `{range: "1..5", as: name}`',
  ),
  v.check(
    ({ over, range }) => (over === undefined) !== (range === undefined),
    'a map with either `over` or `range`',
  ),
  v.metadata({ oneOf: [{ required: ['over'] }, { required: ['range'] }] }),
)

function isShortRange(range: string): boolean {
  const [first = 0, last = 0] = range.split('..').map(Number)
  return Math.abs(last - first) < 10_000
}

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

/** The `scenarios` of a step. */
export const scenariosSchema = v.pipe(
  v.array(
    s.closed(
      {
        name: s.optional(s.text, 'Words for the reader.'),
        condition: s.documented(
          v.pipe(
            v.string('a JMESPath condition or `{{js: …}}` in quotes'),
            v.check((input) => input.trim() !== '', 'a JMESPath condition or `{{js: …}}` in quotes'),
            v.metadata({ minLength: 1 }),
          ),
          'JMESPath over the response and `variables`, or one {{js: …}}; the first that matches decides.',
        ),
        // oxlint-disable-next-line unicorn/no-thenable -- the format's own word, and never a function
        then: s.optional(branch, 'When the condition holds.'),
        else: s.optional(branch, 'When it does not.'),
      },
      'a scenario `{condition, then, else}`',
    ),
    'a list of scenarios: start each with a hyphen, `- condition: …`',
  ),
  v.check((list) => list.length > 0, 'a list with at least one scenario'),
  v.metadata({ minItems: 1 }),
)
