import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Limits } from '../limits.ts'
import type { ServerState } from '../state.ts'

/** What routes see of a request. */
export interface EchoRequest {
  /** Node's request: raw headers and the socket. */
  message: IncomingMessage
  /** Node's response, for its `close` event and trailers; routes return a `Reply` and write nothing themselves. */
  response: ServerResponse
  method: string
  /** Decoded path. */
  path: string
  /** Raw query, without `?`. */
  query: string
  /** Values of the path's parameters. */
  params: Readonly<Record<string, string>>
  body: Buffer
  limits: Limits
  state: ServerState
}
