import * as v from 'valibot'
import {
  anyJson,
  anyMap,
  closed,
  documented,
  either,
  method,
  milliseconds,
  oneOf,
  optional,
  template,
  text,
  whole,
} from './schema-parts.ts'
import { hasTemplate } from '../../interpolation/template.ts'

const mock = closed({
  method: optional(method, 'HTTP method; default: any.'),
  url: documented(
    v.pipe(
      text,
      v.check(
        (url) => hasTemplate(url) || url.startsWith('*') || /^[^/?#]+:\/\//.test(url),
        'an absolute URL such as `https://host/path` or `*/path`',
      ),
    ),
    'Absolute URL; `*` and `:name` match as in MSW.',
  ),
  when: optional(
    closed({
      params: optional(anyMap, 'Query parameters it must have, among others.'),
      headers: optional(anyMap, 'Headers it must have, among others.'),
      body: optional(anyJson, 'A part of its JSON or form body; a text is the whole body.'),
    }),
    'What a request must have beside method and url to be answered.',
  ),
  respond: optional(
    closed({
      status: optional(
        either([whole(200, 599), template], 'a status from 200 to 599', (input) =>
          typeof input === 'number' ? 0 : hasTemplate(input) ? 1 : -1,
        ),
        'Status of the answer; default 200.',
      ),
      headers: optional(anyMap, 'Headers of the answer; a list sends one several times.'),
      body: optional(anyJson, 'A map or list is sent as JSON, a text as it is.'),
      delay_ms: optional(milliseconds, 'Wait before the answer.'),
      error: optional(oneOf('network', 'timeout'), 'No answer: the connection is reset, or nothing comes.'),
    }),
    'The answer; without it nothing answers the request.',
  ),
  times: optional(whole(0, 1_000_000), 'How often it must be called, exactly.'),
})

/** The `mocks` of a suite or step. */
export const mocksSchema = documented(v.array(mock, 'a list of mocks'), 'Answers of other services.')

/** One mocked upstream request. */
export type MockInput = v.InferInput<typeof mock>
