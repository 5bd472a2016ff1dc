import * as v from 'valibot'
import * as s from './schema-parts.ts'
import { hasTemplate } from '../../interpolation/template.ts'

const mock = s.closed({
  method: s.optional(s.method, 'HTTP method; default: any.'),
  url: s.documented(
    v.pipe(
      s.text,
      v.check(
        (url) => hasTemplate(url) || url.startsWith('*') || /^[^/?#]+:\/\//.test(url),
        'an absolute URL such as `https://host/path` or `*/path`',
      ),
    ),
    'Absolute URL; `*` and `:name` match as in MSW.',
  ),
  when: s.optional(
    s.closed({
      params: s.optional(s.anyMap, 'Query parameters it must have, among others.'),
      headers: s.optional(s.anyMap, 'Headers it must have, among others.'),
      body: s.optional(s.anyJson, 'A part of its JSON or form body; a text is the whole body.'),
    }),
    'What a request must have beside method and url to be answered.',
  ),
  respond: s.optional(
    s.closed({
      status: s.optional(
        s.either([s.whole(200, 599), s.template], 'a status from 200 to 599'),
        'Status of the answer; default 200.',
      ),
      headers: s.optional(s.anyMap, 'Headers of the answer; a list sends one several times.'),
      body: s.optional(s.anyJson, 'A map or list is sent as JSON, a text as it is.'),
      delay_ms: s.optional(s.milliseconds, 'Wait before the answer.'),
      error: s.optional(
        s.oneOf('network', 'timeout'),
        'No answer: the connection is reset, or nothing comes.',
      ),
    }),
    'The answer; without it nothing answers the request.',
  ),
  times: s.optional(s.whole(0, 1_000_000), 'How often it must be called, exactly.'),
})

/** The `mocks` of a suite or step. */
export const mocksSchema = s.documented(v.array(mock, 'a list of mocks'), 'Answers of other services.')

/** One mocked upstream request. */
export type MockInput = v.InferInput<typeof mock>
