import { token } from '../../request/build/build-headers.ts'
import * as v from 'valibot'
import { isJsonObject } from '../../json.ts'
import { bodyKinds } from '../../request/receive/decode-body.ts'
import { captureSchema, checksSchema } from './schema-checks.ts'
import * as s from './schema-parts.ts'
import { connectionFields, requestSchema } from './schema-request.ts'

/** Maximum number of events read from a stream. */
export const MOST_EVENTS = 10_000

const streamSchema = s.closed(
  {
    until: s.optional(s.condition, 'Stops when this holds for `event`: {event, data, id, at_ms}.'),
    events: s.optional(
      s.whole(0, MOST_EVENTS),
      'Stops after this many events; `until` must hold by then. 0: none may come.',
    ),
    within: s.optional(s.limit, 'Time limit from connecting to the last event; default: the timeout.'),
    trigger: v.optional(requestSchema),
  },
  'a map such as `{ events: 3, within: 5s }`, or `{}` to read the stream to its end',
)

/** Maximum number of requests of a burst, and of concurrent ones. */
const MOST_TIMES = 1000
export const MOST_AT_ONCE = 100

const burstSchema = v.pipe(
  s.closed(
    {
      times: s.documented(s.whole(2, MOST_TIMES), `How many times the request is sent, 2 to ${MOST_TIMES}.`),
      concurrent: s.optional(s.whole(1, MOST_AT_ONCE), `How many at the same time, at most ${MOST_AT_ONCE}.`),
    },
    'a map such as `{ times: 20, concurrent: 20 }`',
  ),
  v.check(({ times, concurrent = 1 }) => concurrent <= times, 'a map whose `concurrent` is at most `times`'),
)

const EXPECTED = '`{ send, type }`, `{ expect, type, within, capture }`, `{ trigger }` or `{ close }`'
const CODE = 'a close code: 1000, or 3000 to 4999'

const messageType = s.oneOf('text', 'binary')
const expected = s.parsedLater(v.union([checksSchema]), v.any())
const closeCode = v.pipe(
  v.number(CODE),
  v.check((code) => code === 1000 || (Number.isInteger(code) && code >= 3000 && code <= 4999), CODE),
  v.metadata({ type: 'integer', anyOf: [{ const: 1000 }, { minimum: 3000, maximum: 4999 }] }),
)

const turn = s.either(
  [
    s.closed({
      send: s.documented(s.anyJson, 'A string is sent as it is, other data as JSON; write binary as base64.'),
      type: s.optional(messageType, 'Sends a text message (default) or a binary one.'),
    }),
    s.closed({
      expect: s.documented(expected, 'Checks on the next message: its fields, its text, or its base64.'),
      type: s.optional(messageType, 'The expected type of the message; default: either.'),
      within: s.optional(s.limit, 'How long to wait for the message; default: the timeout.'),
      capture: v.optional(captureSchema),
    }),
    s.closed({ trigger: requestSchema }),
    s.closed({ close: s.documented(closeCode, 'Closes the connection with this code.') }),
  ],
  EXPECTED,
)
const turns = v.pipe(
  v.array(turn, `a list of ${EXPECTED}`),
  v.check(
    (list) => !list.slice(0, -1).some((one) => isJsonObject(one) && Object.hasOwn(one, 'close')),
    'a list with `close` only at its end',
  ),
)

// A token as in RFC 6455, 4.1.
const protocol = v.regex(token, 'a name without spaces, commas, slashes or brackets')
const protocols = v.pipe(
  v.array(v.pipe(v.string('a string'), protocol), 'a list of names'),
  v.check((names) => new Set(names).size === names.length, 'a list of names without duplicates'),
)

const websocketSchema = s.closed(
  {
    url: s.documented(s.text, 'ws:// or wss://, or relative to `base_url`.'),
    protocols: s.optional(protocols, 'Subprotocols to offer.'),
    headers: s.optional(s.fields, 'Headers of the handshake.'),
    tls: connectionFields.tls,
    insecure: connectionFields.insecure,
    proxy: connectionFields.proxy,
    exchange: s.optional(turns, 'What is sent and expected, in order.'),
  },
  'a map such as `{ url: /chat, exchange: [{ send: hello }, { expect: hello }] }`',
)

/** Keys of a step that change how it sends. */
export const exchangeFields = {
  websocket: s.optional(websocketSchema, 'Exchanges messages over a WebSocket instead of sending a request.'),
  stream: s.optional(streamSchema, 'Reads the response as a stream: server-sent events or NDJSON.'),
  burst: s.optional(burstSchema, 'Sends the request many times concurrently.'),
}

/** Keys of a step for the body of its response. */
export const answerFields = {
  body_as: s.optional(s.oneOf(...bodyKinds), 'How to read the body; `bytes` gives base64.'),
  save: s.optional(s.text, 'File below `outputDir/saved` for the body; not searched for secrets.'),
}
