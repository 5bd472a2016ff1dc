import type { Json } from '../../json.ts'
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

/** What a server-sent event may have beside its data. */
type EventNames = { event?: string | undefined; id?: string | undefined }

const LINES = /^application\/(?:x-)?(?:ndjson|json-?lines|jsonl|stream\+json)$/

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

  /** Adds an event and gives its data; none are added once they are enough. */
  const add = (text: string, { event, id }: EventNames): Json => {
    if (ending === 'enough') return null
    const data = readData(text)
    const at_ms = roundMs(performance.now() - startedAt)
    const added = { ...(event !== undefined && { event }), data, ...(id !== undefined && { id }), at_ms }
    events.push(added)
    if (isLast(added, events.length)) ending = 'enough'
    return data
  }
  const addLine = (line: string): void => {
    if (add(line, {}) === line) broken ??= line
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
          ? createParser({ onEvent: (event) => add(event.data, event) })
          : createLineParser(addLine)
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

/** Lines of JSON; empty ones are none. */
function createLineParser(add: (line: string) => void): { feed(text: string): void; end(): void } {
  // Joined once a line is complete: a long one may come in thousands of pieces.
  let pieces: string[] = []
  const end = (): void => {
    const line = pieces.join('')
    pieces = []
    if (line.trim() !== '') add(line)
  }
  return {
    feed(text) {
      for (const [index, piece] of text.split('\n').entries()) {
        if (index > 0) end()
        pieces.push(piece)
      }
    },
    end,
  }
}
