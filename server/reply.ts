import type { Readable } from 'node:stream'
import { type Printable, printJson } from './json/print-json.ts'

/** An answer as data: what a route returns. */
export interface Reply {
  status: number
  /** Names and values in turn. CORS and length headers are added when it is sent. */
  headers: readonly string[]
  /**
   * The body; undefined for none, with `content-length: 0` where the status allows one. A string is ASCII, as all JSON
   * here is; a stream is sent chunked.
   */
  body?: string | Buffer | Readable
}

const JSON_HEADERS = ['Content-Type', 'application/json'] as const
const HTML_HEADERS = ['Content-Type', 'text/html; charset=utf-8'] as const

/** JSON text that is already printed. */
export function replyText(body: string): Reply {
  return { status: 200, headers: JSON_HEADERS, body }
}

/** A value as pretty JSON with the final newline that httpbin sends. */
export function replyJson(value: Printable, status = 200): Reply {
  return { status, headers: JSON_HEADERS, body: `${printJson(value)}\n` }
}

/** A page of our own; nothing that a client sent may be part of it. */
export function replyHtml(body: string | Buffer): Reply {
  return { status: 200, headers: HTML_HEADERS, body }
}

/** An empty body, announced as HTML as httpbin does. */
export function replyEmpty(status = 200, headers: readonly string[] = []): Reply {
  return { status, headers: [...HTML_HEADERS, ...headers] }
}

/** An error page: `{"error": …}`. */
export function replyError(status: number, message: string, headers: readonly string[] = []): Reply {
  return { status, headers: [...JSON_HEADERS, ...headers], body: `${printJson({ error: message })}\n` }
}
