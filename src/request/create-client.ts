import { createPool } from './transport/connection-pool.ts'
import type { Exchange, RequestSpec } from './exchange.ts'
import type { ProxyOption } from './transport/proxy.ts'
import { sendRequest } from './send-request.ts'
import type { SendOptions } from './redirect/send-with-redirects.ts'

/** Sends requests over shared, kept-alive connections. */
export type RequestClient = {
  send(spec: RequestSpec, options?: Omit<SendOptions, 'pool'>): Promise<Exchange>
  /** Ends all connections; requests under way fail with the code `CLIENT_CLOSED`. */
  close(): Promise<void>
}

/** Creates a client; the options given here hold for all its requests unless a request has its own. */
export function createClient(
  options: Omit<SendOptions, 'pool'> & { proxy?: ProxyOption } = {},
): RequestClient {
  const { proxy, ...defaults } = options
  const pool = createPool(proxy === undefined ? {} : { proxy })
  return {
    send: (spec, own) => sendRequest(spec, { ...defaults, ...own, pool }),
    close: () => pool.close(),
  }
}
