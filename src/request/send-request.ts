import { defaultLimits, type Exchange, type RequestLimits, type RequestSpec } from './exchange.ts'
import { createBodyBudget, type BodyHold } from './transport/body-budget.ts'
import { ConnectionPool } from './transport/connection.ts'
import { Trip, type SendOptions, type Shared } from './trip.ts'

/** Sends requests over shared, kept-alive connections, for any number of suites; what is a suite's own comes with each request. */
export type RequestClient = {
  readonly limits: RequestLimits
  /** Sends a request exactly once, follows its redirects and hands back what came of it; never rejects for what a server does. */
  send(spec: RequestSpec, options?: SendOptions): Promise<Exchange>
  /** The same client for one suite, with what counts the bodies it holds in memory. */
  share(): { client: RequestClient; hold: BodyHold }
  /** Ends all connections; requests under way fail with the code `CLIENT_CLOSED`. */
  close(): Promise<void>
}

type ClientOptions = {
  /** Limits that differ from the defaults. */
  limits?: Partial<RequestLimits>
  /** Bytes that bodies of all suites may hold together. */
  bodyBudget?: number | undefined
  /** ms for which the event loop has stood still so far. @default nothing is known of that */
  readBlocked?: () => number
}

/** Creates a client; the options hold for all its requests. */
export function createClient({
  limits: given,
  bodyBudget,
  readBlocked = () => 0,
}: ClientOptions = {}): RequestClient {
  const limits = { ...defaultLimits, ...given }
  const pool = new ConnectionPool(limits.head)
  const openHold = createBodyBudget(bodyBudget)
  const open = (shared: Shared): RequestClient => ({
    limits,
    send: (spec, options = {}) => new Trip(spec, options, shared).send(),
    share() {
      const hold = openHold()
      return { client: open({ ...shared, hold }), hold }
    },
    close: () => pool.close(),
  })
  return open({ limits, pool, readBlocked, tokens: new Map() })
}
