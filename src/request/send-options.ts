import type { ConnectionPool } from './transport/connection-pool.ts'
import type { CookieJar } from './cookies.ts'
import type { RequestLimits } from './exchange.ts'
import type { RedirectRules } from './redirect/follow-redirect.ts'

/** How a request is sent, besides what it says. */
export type SendOptions = RedirectRules & {
  /** Connections to use; without it the request gets its own, closed afterwards. */
  pool?: ConnectionPool
  /** Limits that differ from the defaults. */
  limits?: Partial<RequestLimits>
  /** Ends the request at once, with the code `ABORTED`. */
  signal?: AbortSignal
  cookies?: CookieJar
  /** True takes any TLS certificate. */
  insecure?: boolean
}
