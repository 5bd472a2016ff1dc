import * as v from 'valibot'
import { suggestName } from '../../text/suggest.ts'
import { isJsonObject } from '../../json.ts'
import {
  anyJson,
  anyMap,
  closed,
  documented,
  either,
  optional,
  orTemplate,
  template,
  text,
  variableName,
} from './schema-parts.ts'
import { hasTemplate } from '../../interpolation/template.ts'
import { RANGE } from './patterns.ts'
import { assertSchema, captureSchema } from './schema-checks.ts'

/** The `iterate` of a step. */
export const iterateSchema = either(
  [
    closed({
      over: documented(
        either([v.array(anyJson), template], 'a list or one "{{variable}}"', (input) =>
          Array.isArray(input) ? 0 : hasTemplate(input) ? 1 : -1,
        ),
        'A list, or a variable that holds one.',
      ),
      as: documented(variableName, 'Name of the loop variable.'),
    }),
    closed({
      range: documented(
        orTemplate(
          v.pipe(
            v.string('a range such as "1..5"'),
            v.regex(RANGE, 'a range of whole numbers such as "1..5"'),
            v.check(isShortRange, 'a range of at most 10000 numbers'),
          ),
          'a range such as "1..5"',
        ),
        'Both ends belong to it: "1..5", "5..1" or "1..{{pages}}".',
      ),
      as: documented(variableName, 'Name of the loop variable.'),
    }),
  ],
  '`{over: list or "{{variable}}", as: name}` or `{range: "1..5", as: name}`',
  (input) => (isJsonObject(input) ? (Object.keys(input).some(isRange) ? 1 : 0) : -1),
)

function isRange(key: string): boolean {
  return key === 'range' || suggestName(key, ['over', 'range', 'as']) === 'range'
}

function isShortRange(range: string): boolean {
  const [first = 0, last = 0] = range.split('..').map(Number)
  return Math.abs(last - first) < 10_000
}

/** The `call` of a step. */
export const callSchema = closed({
  suite: documented(text, 'Suite file (relative to this one) or node id.'),
  step: optional(text, 'Id or name of one step; default: the whole suite.'),
  variables: optional(anyMap, 'Inputs of the called suite.'),
})

const branch = closed(
  {
    assert: v.optional(assertSchema),
    capture: v.optional(captureSchema),
    variables: optional(anyMap, 'Variables that are set only here.'),
  },
  'a map with `assert`, `capture` or `variables`',
)

/** The `scenarios` of a step. */
export const scenariosSchema = v.pipe(
  v.array(
    closed(
      {
        name: optional(text, 'Words for the reader.'),
        condition: documented(
          v.pipe(
            v.string('a JMESPath condition or `{{js: …}}` in quotes'),
            v.check((input) => input.trim() !== '', 'a JMESPath condition or `{{js: …}}` in quotes'),
            v.metadata({ minLength: 1 }),
          ),
          'JMESPath over the response and `variables`, or one {{js: …}}; the first that matches decides.',
        ),
        // oxlint-disable-next-line unicorn/no-thenable -- the format's own word, and never a function
        then: optional(branch, 'When the condition holds.'),
        else: optional(branch, 'When it does not.'),
      },
      'a scenario `{condition, then, else}`',
    ),
    'a list of scenarios: start each with a hyphen, `- condition: …`',
  ),
  v.check((list) => list.length > 0, 'a list with at least one scenario'),
  v.metadata({ minItems: 1 }),
)
