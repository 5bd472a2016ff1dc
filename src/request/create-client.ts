import type { Exchange, RequestSpec } from './exchange.ts'
import type { SendOptions } from './redirect/send-with-redirects.ts'
import { sendRequest } from './send-request.ts'
import { createBodyBudget, type BodyHold } from './transport/body-budget.ts'
import { createPool } from './transport/connection-pool.ts'

/** Sends requests over shared, kept-alive connections, for any number of suites; what is a suite's own comes with each request. */
export type RequestClient = {
  /** What holds for requests that do not say otherwise. */
  readonly options: Omit<SendOptions, 'pool'>
  send(spec: RequestSpec, options?: Omit<SendOptions, 'pool'>): Promise<Exchange>
  /** The same client for one suite, with what counts the bodies it holds in memory. */
  share(): { client: RequestClient; hold: BodyHold }
  /** Ends all connections; requests under way fail with the code `CLIENT_CLOSED`. */
  close(): Promise<void>
}

/** Creates a client; the options given here hold for all its requests unless a request has its own. */
export function createClient(
  options: Omit<SendOptions, 'pool' | 'hold'> & { bodyBudget?: number | undefined } = {},
): RequestClient {
  const defaults = { tokens: new Map(), ...options, pool: createPool() }
  const openHold = createBodyBudget(options.bodyBudget)
  const client: RequestClient = {
    options,
    send: (spec, own) => sendRequest(spec, { ...defaults, ...own }),
    share() {
      const hold = openHold()
      return { client: { ...client, send: (spec, own) => client.send(spec, { ...own, hold }) }, hold }
    },
    close: () => defaults.pool.close(),
  }
  return client
}
