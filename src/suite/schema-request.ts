import * as v from 'valibot'
import { isJsonObject } from '../json.ts'
import {
  anyJson,
  closed,
  condition,
  documented,
  either,
  fields,
  flag,
  isTemplate,
  limit,
  milliseconds,
  parsedLater,
  scalar,
  template,
  text,
  whole,
} from './schema-parts.ts'

/** Whether and how many redirects are followed. */
export const redirects = either(
  [flag, whole(0, 100)],
  'true, false or the number of redirects to follow',
  (input) => (typeof input === 'boolean' ? 0 : typeof input === 'number' ? 1 : -1),
)

const stepRedirects = either([redirects, template], 'true, false or a number', (input) =>
  isTemplate(input) ? 1 : 0,
)

const credential = v.union([v.string(), v.number(), v.boolean()], 'a text')

const auth = closed({
  basic: v.optional(
    documented(closed({ username: credential, password: credential }), 'HTTP Basic credentials (RFC 7617).'),
  ),
  bearer: v.optional(documented(v.string('a text'), 'Bearer token (RFC 6750).')),
})

const part = closed({ file: text, type: v.optional(text), filename: v.optional(text) })
const parts = parsedLater(
  v.record(v.string(), v.union([scalar, part, v.array(v.union([scalar, part]))])),
  isJsonObject,
  'a map',
)

/** The `request` of a step. */
export const requestSchema = closed({
  method: v.optional(documented(text, 'HTTP method; default GET.')),
  url: documented(v.string('a text'), 'Absolute, or relative to `base_url`.'),
  params: v.optional(documented(fields, 'Query parameters; a list repeats the name, null leaves it out.')),
  headers: v.optional(documented(fields, 'Request headers; null removes a default header.')),
  body: v.optional(
    documented(anyJson, 'Map or list: JSON (or a form, by content type); text: sent as it is.'),
  ),
  form: v.optional(documented(fields, 'Body as application/x-www-form-urlencoded.')),
  multipart: v.optional(
    documented(parts, 'Body as multipart/form-data; `{file, type, filename}` sends a file.'),
  ),
  file: v.optional(documented(text, 'Body from a file, relative to the suite.')),
  auth: v.optional(documented(auth, 'Credentials: `basic` or `bearer`.')),
  timeout: v.optional(
    documented(
      either([limit, template], 'a number of milliseconds', (input) =>
        typeof input === 'number' ? 0 : isTemplate(input) ? 1 : -1,
      ),
      'Milliseconds from connecting to the last byte of the body.',
    ),
  ),
  follow_redirects: v.optional(documented(stepRedirects, 'Whether and how many redirects are followed.')),
})

/** The `retry` settings of a step or suite. */
export const retrySchema = documented(
  closed({
    max_attempts: documented(whole(1, 1000), 'How often the request is sent at most.'),
    base_delay_ms: v.optional(documented(milliseconds, 'Wait before the second attempt; default 1000.')),
    max_delay_ms: v.optional(documented(milliseconds, 'Longest wait between attempts; default 30000.')),
    backoff: v.optional(
      documented(
        v.picklist(['fixed', 'exponential'], '`fixed` or `exponential`'),
        'How the wait grows; default exponential (doubled each time).',
      ),
    ),
    on: v.optional(
      documented(
        either(
          [
            v.pipe(v.array(whole(100, 599)), v.minLength(1, 'a list with at least one status code')),
            condition,
          ],
          'a list of status codes or a condition',
          (input) => (Array.isArray(input) ? 0 : typeof input === 'string' ? 1 : -1),
        ),
        'Repeat only for these statuses, or while this JavaScript condition holds.',
      ),
    ),
    until: v.optional(documented(condition, 'Repeat until this JavaScript condition holds.')),
  }),
  'When and how often the request is repeated.',
)
