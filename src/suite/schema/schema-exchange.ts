import * as v from 'valibot'
import { closed, condition, documented, limit, whole } from './schema-parts.ts'

/** The most events a stream is read for. */
export const MOST_EVENTS = 10_000

/** The `stream` of a step. */
export const streamSchema = closed(
  {
    until: v.optional(
      documented(
        condition,
        "The last event: a JavaScript condition on `event`, {event, data, id, at_ms}, such as event.data === '[DONE]'.",
      ),
    ),
    events: v.optional(
      documented(
        whole(1, MOST_EVENTS),
        'So many events are enough; beside `until`, the most that may come before it holds.',
      ),
    ),
    within: v.optional(
      documented(limit, 'From connecting to the last event: 5s, or milliseconds; default the timeout.'),
    ),
  },
  'a map such as `{ events: 3, within: 5s }`',
)

/** The most requests of a burst, and the most that are on their way at the same time. */
const MOST_TIMES = 1000
export const MOST_AT_ONCE = 100

/** The `burst` of a step. */
export const burstSchema = closed(
  {
    times: documented(whole(2, MOST_TIMES), `How often the request is sent, 2 to ${MOST_TIMES}.`),
    concurrent: v.optional(
      documented(
        whole(1, MOST_AT_ONCE),
        `How many are on their way at the same time; default all, at most ${MOST_AT_ONCE}.`,
      ),
    ),
  },
  'a map such as `{ times: 20, concurrent: 20 }`',
)
