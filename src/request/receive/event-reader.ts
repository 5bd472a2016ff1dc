import { readData } from '../../safe-json.ts'
import { createDecoder, readCharset } from './decode-body.ts'
import { roundMs } from '../../text/units.ts'
import { findHeader, type BodyReader, type ResponseHead, type Stop, type StreamEvent } from '../exchange.ts'

/** Why there are no more events: they were enough, the stream ended, something broke it, or it was no stream. */
export type StreamEnding = 'enough' | 'end' | { reason: Error | Stop } | { other: string }

/** Reads an answer as events while it comes. */
export type EventReader = BodyReader & {
  readonly events: readonly StreamEvent[]
  readonly ending: StreamEnding
  /** The first line that is not the JSON it should be. */
  readonly broken: string | undefined
}

const LINES = /^application\/(?:x-)?(?:ndjson|json-?lines|jsonl|json-seq|stream\+json)$/

/** Makes a reader of server-sent events and of JSON in lines, until `isLast` says so of an event. Times count from now on. */
export async function createEventReader(
  isLast: (event: StreamEvent, count: number) => boolean,
): Promise<EventReader> {
  const { createParser } = await import('eventsource-parser')
  const startedAt = performance.now()
  const events: StreamEvent[] = []
  let ending: StreamEnding = { other: 'there was none' }
  let parser: { feed(text: string): void; end?(): void } | undefined
  let decoder: { decode(chunk: Uint8Array, options: { stream: boolean }): string } = new TextDecoder()
  let endedInReturn = false
  let broken: string | undefined

  const add = (
    data: string,
    { event, id }: { event?: string | undefined; id?: string | undefined } = {},
    isJson = false,
  ): void => {
    if (ending === 'enough') return
    const at_ms = roundMs(performance.now() - startedAt)
    const added: StreamEvent = {
      ...(event !== undefined && { event }),
      data: readData(data),
      ...(id !== undefined && { id }),
      at_ms,
    }
    events.push(added)
    if (isJson && added.data === data) broken ??= data
    if (isLast(added, events.length)) ending = 'enough'
  }

  return {
    events,
    get ending() {
      return ending
    },
    get broken() {
      return broken
    },
    begin(head) {
      const type =
        (findHeader(head.headers, 'content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
      const other = explainOther(head, type)
      ending = other === undefined ? 'end' : { other }
      if (other !== undefined) return false
      parser =
        type === 'text/event-stream'
          ? createParser({ onEvent: ({ data, ...rest }) => add(data, rest) })
          : createLineParser((line) => add(line, {}, true))
      // Server-sent events are UTF-8 (HTML, 9.2.5).
      decoder =
        (type !== 'text/event-stream' && createDecoder(readCharset(head) ?? 'utf-8')) || new TextDecoder()
      return true
    },
    take(chunk) {
      const text = decoder.decode(chunk, { stream: true })
      // A carriage return alone ends a line too, at once: a line feed may never follow.
      parser?.feed((endedInReturn ? text.replace(/^\n/, '') : text).replaceAll(/\r\n?/g, '\n'))
      if (text !== '') endedInReturn = text.endsWith('\r')
      return ending === 'enough'
    },
    end(reason) {
      if (ending === 'enough') return
      if (reason === undefined) parser?.end?.()
      else ending = { reason }
    },
  }
}

function explainOther({ statusCode, headers }: ResponseHead, type: string): string | undefined {
  const encoding = findHeader(headers, 'content-encoding')
  const isStream = type === 'text/event-stream' || LINES.test(type)
  if (!isStream || statusCode >= 300)
    return `it has status ${statusCode} and ${type === '' ? 'no type' : `the type ${type}`}`
  return encoding === undefined || encoding === 'identity' ? undefined : `it is compressed (${encoding})`
}

/** Lines of JSON, each perhaps after a record separator (RFC 7464); empty ones are none. */
function createLineParser(add: (line: string) => void): { feed(text: string): void; end(): void } {
  const pieces: string[] = []
  const addLine = (line: string): void => {
    for (const text of line.split('\u001e')) if (text.trim() !== '') add(text)
  }
  return {
    feed(text) {
      const [first = '', ...others] = text.split('\n')
      pieces.push(first)
      for (const line of others) {
        addLine(pieces.splice(0).join(''))
        pieces.push(line)
      }
    },
    end: () => addLine(pieces.splice(0).join('')),
  }
}
