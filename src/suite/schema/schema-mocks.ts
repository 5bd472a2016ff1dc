import * as v from 'valibot'
import {
  anyJson,
  anyMap,
  closed,
  documented,
  either,
  method,
  milliseconds,
  template,
  text,
  whole,
} from './schema-parts.ts'
import { isTemplate } from './patterns.ts'

const mock = closed({
  method: v.optional(documented(method, 'HTTP method; default: any.')),
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
      closed({
        params: v.optional(documented(anyMap, 'Query parameters it must have, among others.')),
        headers: v.optional(documented(anyMap, 'Headers it must have, among others.')),
        body: v.optional(documented(anyJson, 'A part of its JSON or form body; a text is the whole body.')),
      }),
      'What a request must have beside method and url to be answered.',
    ),
  ),
  respond: v.optional(
    documented(
      closed({
        status: v.optional(
          documented(
            either([whole(200, 599), template], 'a status from 200 to 599', (input) =>
              typeof input === 'number' ? 0 : isTemplate(input) ? 1 : -1,
            ),
            'Status of the answer; default 200.',
          ),
        ),
        headers: v.optional(documented(anyMap, 'Headers of the answer; a list sends one several times.')),
        body: v.optional(documented(anyJson, 'A map or list is sent as JSON, a text as it is.')),
        delay_ms: v.optional(documented(milliseconds, 'Wait before the answer.')),
        error: v.optional(
          documented(
            v.picklist(['network', 'timeout'], '`network` or `timeout`'),
            'No answer: the connection is reset, or nothing comes.',
          ),
        ),
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
