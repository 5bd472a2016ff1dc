import { defaultBodyLimit, type Exchange, type RequestSpec } from './exchange.ts'
import { createBodyBudget } from './transport/body-budget.ts'
import { ConnectionPool } from './transport/connection.ts'
import { Trip, type SendOptions, type Shared } from './trip.ts'

/** Sends requests over kept-alive connections that all suites share; anything specific to a suite comes with each request. */
export type RequestClient = ReturnType<typeof createClient>

type ClientOptions = {
  /** Most bytes of a body. @default 50 MB */
  bodyLimit?: number | undefined
  /** Bytes that the bodies of all suites may hold in memory together. */
  bodyBudget?: number | undefined
}

/** Creates a client; the options apply to all its requests. */
export function createClient({ bodyLimit = defaultBodyLimit, bodyBudget }: ClientOptions = {}) {
  const pool = new ConnectionPool()
  const shared: Shared = { bodyLimit, pool, tokens: new Map() }
  return {
    bodyLimit,
    /** Opens a counter for the body memory that one suite holds. */
    openHold: createBodyBudget(bodyBudget),
    /** Sends a request without retries, follows redirects and returns the result; never rejects for what a server does. */
    send: (spec: RequestSpec, options: SendOptions = {}): Promise<Exchange> =>
      new Trip(spec, options, shared).send(),
    /** Closes all connections; requests in progress fail with the code `CLIENT_CLOSED`. */
    close: (): Promise<void> => pool.close(),
  }
}
