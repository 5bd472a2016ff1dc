import type { EventSourceMessage } from 'eventsource-parser'
import { TextDecoder } from 'node:util'
import type { Json } from '../../json.ts'
import { readData } from '../../safe-json.ts'
import { showValue } from '../../text/show-value.ts'
import { roundMs } from '../../text/units.ts'
import { createDecoder, readCharset } from './decode-body.ts'
import { listEncodings } from './decode-content.ts'
import { findHeader, type BodyReader, type ResponseHead, type StreamEvent } from '../exchange.ts'

/** Why there are no more events: enough arrived, the stream ended, it broke, or the response was no stream. */
export type StreamEnding = 'enough' | 'end' | { reason: Error } | { other: string }

export type EventReader = BodyReader & {
  events: StreamEvent[]
  ending: StreamEnding
  oddity: string | undefined
}

/** The content types of JSON lines. */
export const linesType = /^application\/(?:x-)?(?:ndjson|json-?lines|jsonl|stream\+json)$/

const MIXED = 'multipart/mixed'

/** Creates a reader of server-sent events, JSON lines or parts of a multipart body. Stops at `isLast`; times count from this call. */
export async function createEventReader(
  isLast: (event: StreamEvent, count: number) => boolean,
): Promise<EventReader> {
  const { createParser } = await import('eventsource-parser')
  const startedAt = performance.now()
  let decoder = new TextDecoder()
  let parser: { feed(text: string): void } | undefined
  let [line, hasEnded] = ['', false]
  let boundary: string | undefined
  let part: string[] | undefined
  let isClosed = false

  const add = (data: Json, event?: string, id?: string): void => {
    if (reader.ending === 'enough') return
    const at_ms = roundMs(performance.now() - startedAt)
    const added = { ...(event !== undefined && { event }), data, ...(id !== undefined && { id }), at_ms }
    reader.events.push(added)
    if (isLast(added, reader.events.length)) reader.ending = 'enough'
  }

  const onEvent = ({ data, event, id }: EventSourceMessage): void => {
    if (!hasEnded) return add(readData(data), event, id)
    const what = `The response ended inside an event, which does not count: ${showValue(data)}`
    reader.oddity = `${what}. An event must be followed by a blank line.`
  }

  const readJsonLine = (text: string): void => {
    const written = text.trim()
    if (written === '') return
    const data = readData(written)
    if (data === written && reader.ending !== 'enough')
      reader.oddity ??= `A line of the response is not JSON, so its event is a string: ${showValue(data)}.`
    add(data)
  }

  /** Reads a line of a multipart body (RFC 2046, 5.1.1), whose parts end where the next boundary begins. */
  const readPartLine = (text: string): void => {
    const written = text.trimEnd()
    if (written !== boundary && written !== `${boundary}--`) return void part?.push(text)
    const blank = part?.findIndex((one) => one.trimEnd() === '') ?? -1
    const lines = (part ?? []).slice(blank + 1)
    if (blank !== -1) add(readData(lines.join('\n').replace(/\r$/, '')))
    else if (part)
      reader.oddity ??= 'A part of the response has no blank line after its headers, so it does not count.'
    part = written === boundary ? [] : undefined
    isClosed = !part
  }

  const splitLines = (text: string): void => {
    const [first = '', ...others] = text.split('\n')
    line += first
    for (const next of others) {
      if (boundary === undefined) readJsonLine(line)
      else readPartLine(line)
      line = next
    }
  }

  const reader: EventReader = {
    events: [],
    ending: { other: 'there was none' },
    oddity: undefined,
    begin(head) {
      const contentType = findHeader(head.headers, 'content-type') ?? ''
      const type = readType(contentType)
      boundary = type === MIXED ? readBoundary(contentType) : undefined
      const other = explainOther(head, type, boundary)
      reader.ending = other === undefined ? 'end' : { other }
      if (other !== undefined) return false
      // Server-sent events are UTF-8 (HTML, 9.2.5).
      if (type !== 'text/event-stream') decoder = createDecoder(readCharset(contentType)) ?? decoder
      parser = type === 'text/event-stream' ? createParser({ onEvent }) : { feed: splitLines }
      return true
    },
    take(chunk) {
      parser?.feed(decoder.decode(chunk, { stream: true }))
      return reader.ending === 'enough'
    },
    end(reason) {
      if (reader.ending === 'enough') return
      if (reason !== undefined) reader.ending = { reason }
      else {
        hasEnded = true
        // A blank line completes a last line of JSON. An event that only this line completes does not count.
        parser?.feed('\n\n')
        const cut = `The response ended without its last boundary, \`${boundary}--\`. A part counts only with the boundary after it.`
        if (boundary !== undefined && !isClosed) reader.oddity ??= cut
      }
    },
  }
  return reader
}

function readType(contentType: string): string {
  return contentType.replace(/;.*/s, '').trim().toLowerCase()
}

/** True for the content types of server-sent events, JSON lines and multipart bodies. */
export function isStreamType(contentType: string): boolean {
  const type = readType(contentType)
  return type === 'text/event-stream' || type === MIXED || linesType.test(type)
}

/** The line that begins each part of a multipart body, if its content type says so. */
function readBoundary(contentType: string): string | undefined {
  const [, quoted, plain = quoted] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType) ?? []
  return plain === undefined ? undefined : `--${plain}`
}

function explainOther(
  { statusCode, headers }: ResponseHead,
  type: string,
  boundary: string | undefined,
): string | undefined {
  const encodings = listEncodings(headers).join(', ')
  if (!isStreamType(type) || statusCode >= 300)
    return `it has status ${statusCode} and ${type === '' ? 'no type' : `the type ${type}`}`
  if (type === MIXED && boundary === undefined) return 'its content type has no `boundary`'
  return encodings === '' ? undefined : `it is compressed (${encodings})`
}
