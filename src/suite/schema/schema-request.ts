import * as v from 'valibot'
import { STATUS_CLASS } from '../../assertion/operators/status.ts'
import { authSchema, credential } from './schema-auth.ts'
import * as s from './schema-parts.ts'

export const redirects = s.either(
  [s.flag, s.whole(0, 100)],
  'true, false or the number of redirects to follow',
)

const tls = s.closed({
  cert: s.optional(s.text, 'File with the client certificate (PEM).'),
  key: s.optional(s.text, 'File with the private key of the client certificate (PEM).'),
  pfx: s.optional(s.text, 'File with both, instead of `cert` and `key` (PKCS #12: .pfx or .p12).'),
  ca: s.optional(s.text, 'File with the certificates to trust instead of the well-known ones (PEM).'),
  passphrase: s.optional(credential, 'Passphrase of the private key, or of the `pfx`.'),
  server_name: s.optional(s.text, "Name in the server's certificate, if it is not the host of the URL."),
})

/** Connection settings: keys of a suite and of a request. */
export const connectionFields = {
  tls: s.optional(tls, 'Client certificate and trusted certificates; files are relative to the suite.'),
  insecure: s.optional(s.flag, 'Accepts any TLS certificate, which the report mentions.'),
  proxy: s.optional(
    s.either([v.literal(false, 'false'), s.text], 'the URL of a proxy, or false'),
    'http:// URL of a proxy, or false for none; default: from HTTP_PROXY, HTTPS_PROXY and NO_PROXY.',
  ),
  http2: s.optional(s.flag, 'Uses HTTP/2 over TLS; the request fails if the server does not support it.'),
}

const part = s.oneKeyOf(
  s.closed({
    file: s.optional(s.text, 'File to send, relative to the suite.'),
    value: s.optional(s.anyJson, 'Sent instead of a file: a string as it is, or data as JSON.'),
    type: s.optional(s.text, 'Media type; default: from the file name, or application/json for data.'),
    filename: s.optional(v.nullable(s.text), 'File name, null for none; default: that of `file`, or blob.'),
  }),
  'file',
  'value',
)
const parts = s.parsedLater(
  v.record(v.string(), v.union([s.scalar, part, v.array(v.union([s.scalar, part]))])),
  s.map,
)

const graphql = s.oneKeyOf(
  s.closed({
    query: s.optional(s.text, 'The GraphQL document: "{ hello }".'),
    query_file: s.optional(s.text, 'File with the GraphQL document, relative to the suite.'),
    variables: s.optional(s.anyMap, 'Variables of the query: {id: 1}.'),
    operation: s.optional(s.text, 'Name of the operation to run, if the document has several.'),
    schema: s.optional(s.text, 'File with the GraphQL schema, to check the query when the suite is loaded.'),
  }),
  'query',
  'query_file',
)

/** The keys for the body of a request, which may have only one of them. */
export const bodies = ['body', 'form', 'multipart', 'file', 'graphql']

export const requestSchema = s.told(
  s.closed({
    method: s.optional(s.method, 'HTTP method; default: GET.'),
    url: s.documented(v.string('a string'), 'URL: absolute, or relative to `base_url`.'),
    params: s.optional(
      s.orTemplate(s.fields),
      'Query parameters; a list repeats the name, null leaves the parameter out.',
    ),
    headers: s.optional(s.orTemplate(s.fields), 'Request headers; null removes a default header.'),
    body: s.optional(
      s.anyJson,
      'A map or list is sent as JSON (by content type as a form or lines of JSON), a string as it is.',
    ),
    form: s.optional(s.orTemplate(s.fields), 'Body as application/x-www-form-urlencoded.'),
    multipart: s.optional(
      s.orTemplate(parts),
      'Body as multipart/form-data; {file} sends a file, {value, type} any value.',
    ),
    file: s.optional(s.text, 'File to send as the body, relative to the suite.'),
    graphql: s.optional(graphql, 'A GraphQL request, sent as POST.'),
    auth: v.optional(authSchema),
    ...connectionFields,
    timeout: s.optional(s.orTemplate(s.limit), 'Time limit from connecting to the last byte of the body.'),
    follow_redirects: s.optional(s.orTemplate(redirects), 'Whether redirects are followed, and how many.'),
  }),
  {
    description: 'The HTTP request to send. A `trigger` is sent while the connection is open.',
    oneOf: [...s.requireEach(bodies), { not: { anyOf: s.requireEach(bodies) } }],
  },
)

const status = s.either(
  [s.whole(100, 599), v.pipe(v.string(), v.regex(STATUS_CLASS, 'a class such as `5xx`'))],
  'a status code or a class such as `5xx`',
)
const statuses = v.pipe(v.array(status), v.minLength(1, 'a list with at least one status code'))
const repeated = s.either(
  [statuses, v.pipe(v.string(), v.regex(/[^\s\d]/)), status],
  'a status code or class, a list of them, or a condition',
)

const attempts = s.orTemplate(s.whole(1, 1000))
const wait = s.orTemplate(s.milliseconds)
const retry = s.closed({
  max_attempts: s.documented(attempts, 'How many times the request is sent at most.'),
  base_delay_ms: s.optional(wait, 'Wait before the second attempt; default: 1000.'),
  max_delay_ms: s.optional(wait, 'Longest wait between attempts; default: 30000.'),
  backoff: s.optional(s.oneOf('fixed', 'exponential'), 'How the wait grows; default: exponential.'),
  on: s.optional(repeated, 'Repeat only for these statuses and classes, or while this condition holds.'),
  until: s.optional(s.condition, 'Repeat until this JavaScript condition holds.'),
})

export const retrySchema = s.documented(
  s.either([attempts, retry], 'a number of attempts, or a map with `max_attempts`'),
  'When and how often the request is repeated.',
)
