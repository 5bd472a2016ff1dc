import * as v from 'valibot'
import { assertSchema, captureSchema } from './schema-checks.ts'
import { anyMap, closed, documented, optional, text } from './schema-parts.ts'

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
