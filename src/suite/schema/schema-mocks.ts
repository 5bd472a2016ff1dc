import * as v from 'valibot'
import {
  anyJson,
  anyMap,
  closed,
  documented,
  either,
  milliseconds,
  template,
  text,
  whole,
} from './schema-parts.ts'
import { isTemplate } from './patterns.ts'

const mock = closed({
  method: v.optional(documented(text, 'HTTP method; default: any.')),
  url: documented(
    v.pipe(
      text,
      v.check(
        (url) => isTemplate(url) || url.startsWith('*') || /^[^/?#]+:\/\//.test(url),
        'an absolute URL such as `https://host/path` or `*/path`',
      ),
    ),
    'Absolute URL; `*` and `:name` match as in MSW.',
  ),
  when: v.optional(
    documented(
      closed({ params: v.optional(anyMap), headers: v.optional(anyMap), body: v.optional(anyJson) }),
      'What a request must have beside method and url to be answered.',
    ),
  ),
  respond: v.optional(
    documented(
      closed({
        status: v.optional(
          either([whole(200, 599), template], 'a status from 200 to 599', (input) =>
            typeof input === 'number' ? 0 : isTemplate(input) ? 1 : -1,
          ),
        ),
        headers: v.optional(anyMap),
        body: v.optional(anyJson),
        delay_ms: v.optional(milliseconds),
        error: v.optional(v.picklist(['network', 'timeout'], '`network` or `timeout`')),
      }),
      'The answer; without it nothing answers the request.',
    ),
  ),
  times: v.optional(documented(whole(0, 1_000_000), 'How often it must be called, exactly.')),
})

/** The `mocks` of a suite or step. */
export const mocksSchema = documented(v.array(mock, 'a list of mocks'), 'Answers of other services.')

/** One mocked upstream request. */
export type MockInput = v.InferInput<typeof mock>
