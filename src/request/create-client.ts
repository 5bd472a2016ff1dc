import { createPool } from './transport/connection-pool.ts'
import type { ConnectionPool } from './transport/connection-pool.ts'
import type { Exchange, RequestSpec } from './exchange.ts'
import { sendRequest } from './send-request.ts'
import type { SendOptions } from './redirect/send-with-redirects.ts'

/** Sends requests over shared, kept-alive connections. */
export type RequestClient = {
  send(spec: RequestSpec, options?: Omit<SendOptions, 'pool'>): Promise<Exchange>
  /** A client with further options over the same connections, as cheap as an object. */
  with(options: Omit<SendOptions, 'pool'>): RequestClient
  /** Ends all connections, also those of the clients it was made from; requests under way fail with the code `CLIENT_CLOSED`. */
  close(): Promise<void>
}

/** Creates a client; the options given here hold for all its requests unless a request has its own. */
export function createClient(options: Omit<SendOptions, 'pool'> = {}): RequestClient {
  return shareClient(createPool(), { tokens: new Map(), ...options })
}

function shareClient(pool: ConnectionPool, options: Omit<SendOptions, 'pool'>): RequestClient {
  return {
    send: (spec, own) => sendRequest(spec, { ...options, ...own, pool }),
    with: (further) => shareClient(pool, { ...options, ...further }),
    close: () => pool.close(),
  }
}
