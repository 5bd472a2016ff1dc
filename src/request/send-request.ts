import { roundMs } from '../text/units.ts'
import { readCookieName, type CookieJar } from './cookies.ts'
import { listHeader, splitTarget } from './exchange.ts'
import type { AuthContext, Authorizer, BodyReader, ConnectionSettings, Exchange } from './exchange.ts'
import type { HeaderLines, ReceivedResponse, RequestPhase, RequestSpec } from './exchange.ts'
import type { ResponseHead, SentRequest } from './exchange.ts'
import { connectElsewhere, followRedirect, isSameRequest, readLocation } from './follow-redirect.ts'
import { stopLoop, stopRedirects, type RedirectRules } from './follow-redirect.ts'
import { decodeContent, listEncodings } from './receive/decode-content.ts'
import { describeFailure } from './render/describe-failure.ts'
import { RequestProblem } from './request-problem.ts'
import { createBodyBudget, type BodyHold } from './transport/body-budget.ts'
import { ConnectionPool } from './transport/connection.ts'
import { Hop, stopAtTimeout, sumBlocked } from './transport/hop.ts'
import { readTimings } from './transport/progress.ts'
import { defaultLimits } from '../limits.ts'

/** Sends requests over connections that all suites share. What belongs to a suite comes with each request. */
export type RequestClient = ReturnType<typeof createClient>

type ClientOptions = {
  /** Most bytes of a body, both on the wire and after content decoding. */
  bodyLimit?: number | undefined
  bodyBudget?: number | undefined
}

export function createClient({ bodyLimit = defaultLimits.body, bodyBudget }: ClientOptions = {}) {
  const pool = new ConnectionPool()
  const shared: Shared = { bodyLimit, pool, tokens: new Map() }
  return {
    bodyLimit,
    openHold: createBodyBudget(bodyBudget),
    /** Sends a request and follows redirects; does not retry. Never rejects because of what a server does. */
    send: (spec: RequestSpec, options: SendOptions = {}): Promise<Exchange> =>
      new Trip(spec, options, shared).send(),
    /** Closes all connections; requests in progress fail with the code `CLIENT_CLOSED`. */
    close: (): Promise<void> => pool.close(),
  }
}

export type SendOptions = RedirectRules & {
  signal?: AbortSignal | undefined
  /** ms the event loop has been blocked so far; limits leave out what is added during the request. @default 0 */
  readBlocked?: (() => number) | undefined
  cookies?: CookieJar | undefined
  hold?: BodyHold | undefined
  reader?: BodyReader | undefined
  /** Gets what no result has, or has too late: each request with credentials, and the headers that set cookies. */
  onSecrets?: ((url: string, headers: HeaderLines) => void) | undefined
}

type Shared = {
  bodyLimit: number
  pool: ConnectionPool
  tokens: AuthContext['tokens']
}

/** Methods that may be resent if a kept-alive connection breaks unanswered (RFC 9112, 9.3.1; 9110, 9.2.2). */
const repeatable = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY', 'PUT', 'DELETE'])

/** One exchange in progress: the author's request, and those needed for redirects and credentials. */
class Trip {
  readonly #spec: RequestSpec
  readonly #options: SendOptions
  readonly #shared: Shared
  readonly #exchange: Exchange
  readonly #warnings: string[] = []
  readonly #startedAt = performance.now()
  readonly #blockedBefore: number
  #timer: NodeJS.Timeout
  #stopped: RequestProblem | undefined
  #onStop: ((reason: RequestProblem) => void) | undefined
  /** The current phase. While a request is sent, it is undefined, and `#hop` knows the phase. */
  #phase: RequestPhase | undefined
  #auth: Authorizer | undefined
  #connection: ConnectionSettings | undefined
  #sent: SentRequest
  #hop: Hop | undefined

  constructor(spec: RequestSpec, options: SendOptions, shared: Shared) {
    const { method, url, headers, body, auth, connection, timeout } = spec
    this.#spec = spec
    this.#options = options
    this.#shared = shared
    this.#auth = auth
    this.#connection = connection
    this.#sent = body === undefined ? { method, url, headers } : { method, url, headers, body }
    this.#exchange = { request: this.#sent, redirects: [], timings: { total: 0 } }
    this.#blockedBefore = sumBlocked(this.#options)
    this.#timer = setTimeout(() => this.#expire(0), timeout)
  }

  async send(): Promise<Exchange> {
    const exchange = this.#exchange
    const { signal } = this.#options
    const abort = (): void => this.#stop(new RequestProblem('the request was aborted', 'ABORTED'))
    let error: Error | undefined
    try {
      signal?.addEventListener('abort', abort, { once: true })
      if (signal?.aborted) abort()
      const trail: SentRequest[] = []
      let next: SentRequest | undefined = this.#sent
      while (next) next = await this.#follow(next, trail)
      error = await this.#readAnswer()
    } catch (thrown) {
      if (!(thrown instanceof RequestProblem)) throw thrown
      error = thrown
    } finally {
      clearTimeout(this.#timer)
      signal?.removeEventListener('abort', abort)
    }
    const hop = this.#hop
    // The time ends with the response or its failure, and not with what happened afterwards.
    const settled = error === undefined || error === hop?.error ? hop?.settled : undefined
    const { at, blocked } = settled ?? { at: performance.now(), blocked: sumBlocked(this.#options) }
    exchange.timings = readTimings(hop, at - this.#startedAt, blocked - this.#blockedBefore)
    if (hop?.note) exchange.connection = hop.note
    if (this.#warnings.length > 0) exchange.warnings = this.#warnings
    if (error) {
      const phase = this.#phase ?? (hop as Hop).phase
      const elapsed = exchange.timings.total
      exchange.failure = describeFailure({ phase, error, request: this.#sent, elapsed })
    }
    return exchange
  }

  /** Adds blocked time beyond `given` ms to the limit: a response may wait in the socket. If none, stops. */
  #expire(given: number): void {
    const blocked = sumBlocked(this.#options) - this.#blockedBefore
    if (blocked > given) this.#timer = setTimeout(() => this.#expire(blocked), blocked - given)
    else this.#stop(stopAtTimeout(this.#spec))
  }

  #stop(reason: RequestProblem): void {
    this.#stopped ??= reason
    this.#onStop?.(this.#stopped)
  }

  #whenStopped(stop: (reason: RequestProblem) => void): void {
    this.#onStop = stop
    if (this.#stopped) stop(this.#stopped)
  }

  /** Sends a request with cookies and credentials. Returns the request to which it is redirected, if any. */
  async #follow(request: SentRequest, trail: SentRequest[]): Promise<SentRequest | undefined> {
    const exchange = this.#exchange
    const { redirects } = exchange
    const { maxRedirects } = this.#spec
    this.#phase = 'redirect'
    const sent = await this.#addCookies(request)
    this.#sent = sent
    if (trail.some((earlier) => isSameRequest(earlier, sent)))
      throw stopLoop([...trail, sent], this.#options.cookies !== undefined)
    const { head, error } = this.#auth
      ? await this.#sendAuthorized(request, this.#auth)
      : await this.#sendOnce()
    if (redirects.length === 0) exchange.request = (this.#hop as Hop).readSent()
    const location = head && !error && maxRedirects > 0 ? readLocation(head) : undefined
    if (head === undefined || location === undefined) return undefined
    this.#phase = 'redirect'
    if (redirects.length === maxRedirects) throw stopRedirects(maxRedirects)
    const { next, crossOrigin } = followRedirect(request, { ...head, location }, this.#options)
    const { method, url } = sent
    const set = listHeader(head.headers, 'set-cookie').map(readCookieName)
    const redirect = { status_code: head.statusCode, method, url, location, target: next.url }
    redirects.push(set.length > 0 ? { ...redirect, set_cookies: set } : redirect)
    trail.push(sent)
    if (crossOrigin) {
      this.#auth = undefined
      this.#connection = connectElsewhere(this.#connection)
    }
    return next
  }

  async #addCookies(request: SentRequest): Promise<SentRequest> {
    const { cookies } = this.#options
    return cookies && !this.#spec.withoutJar ? cookies.addTo(request) : request
  }

  /** Sends a request with credentials; if the response asks for others, once more, with its cookies. */
  async #sendAuthorized(request: SentRequest, auth: Authorizer): Promise<Hop> {
    this.#sent = await this.#authorize(auth)
    const startedAt = performance.now()
    const { head, error } = await this.#sendOnce()
    const next = head && !error ? auth.answer?.(request, head) : undefined
    if (typeof next === 'string') this.#warnings.push(next)
    if (typeof next !== 'object') return this.#hop as Hop
    this.#note(this.#sent, head?.statusCode, (this.#hop?.settled?.at ?? performance.now()) - startedAt)
    this.#sent = await this.#addCookies(next)
    return this.#sendOnce()
  }

  async #authorize(auth: Authorizer): Promise<SentRequest> {
    this.#phase = 'auth'
    const { url, timeout, connection } = this.#spec
    const stopped = new Promise<never>((_, reject) => this.#whenStopped(reject))
    const send: AuthContext['send'] = async (spec) => {
      if (this.#stopped) throw this.#stopped
      const isNear = splitTarget(spec.url)[0] === splitTarget(url)[0]
      const own = { ...spec, connection: isNear ? connection : connectElsewhere(connection) }
      const { readBlocked, hold } = this.#options
      const exchange = await new Trip(own, { readBlocked, hold }, this.#shared).send()
      this.#note(exchange.request, exchange.response?.statusCode, exchange.timings.total)
      return exchange
    }
    try {
      const given = auth.authorize(this.#sent, { send, tokens: this.#shared.tokens, timeout })
      return await Promise.race([given, stopped])
    } catch (error) {
      const { code = 'AUTH_FAILED', message, hint } = error as Error & Partial<RequestProblem>
      throw new RequestProblem(message, code, hint)
    }
  }

  #note({ method, url }: SentRequest, status: number | undefined, ms: number): void {
    const told = { method, url, ...(status !== undefined && { status_code: status }) }
    this.#exchange.authRequests ??= []
    this.#exchange.authRequests.push({ ...told, duration_ms: roundMs(ms) })
  }

  /** Sends a request; once more if a kept-alive connection closed unanswered and the method allows that. */
  async #sendOnce(): Promise<Hop> {
    const { method, url, headers } = this.#sent
    const { cookies, onSecrets } = this.#options
    if (this.#auth) onSecrets?.(url, headers)
    const mayRepeat = repeatable.has(method)
    // After a longer idle time, the server may be about to close the connection.
    let hop = await this.#sendOn(mayRepeat ? Infinity : 1000)
    if (mayRepeat && hop.wasClosedUnanswered()) {
      hop = await this.#sendOn(-1)
      const why =
        'the server closed the kept-alive connection before it answered, so the request went out again on a new one'
      if (hop.sentAt !== undefined) this.#warnings.push(`${method} ${url} was sent twice: ${why}`)
    }
    const { headers: answered = [] } = hop.head ?? {}
    const set = listHeader(answered, 'set-cookie')
    if (set.length > 0) onSecrets?.(url, answered)
    if (cookies && set.length > 0) this.#warnings.push(...(await cookies.store(url, set)))
    return hop
  }

  async #sendOn(maxIdle: number): Promise<Hop> {
    const { bodyLimit, pool } = this.#shared
    const { hold, reader, readBlocked } = this.#options
    const hop = new Hop(this.#sent, { bodyLimit, hold, reader, readBlocked })
    this.#hop = hop
    this.#phase = undefined
    const connection = await pool.acquire(splitTarget(this.#sent.url)[0], this.#connection, maxIdle)
    this.#whenStopped((reason) => hop.settle(reason))
    await connection.send(hop)
    pool.release(connection, hop)
    return hop
  }

  async #readAnswer(): Promise<Error | undefined> {
    const { bodyLimit } = this.#shared
    const hop = this.#hop as Hop
    const { head, error, received: transferBytes } = hop
    // An incomplete body must never be checked, so it stays empty after an error.
    const response: ReceivedResponse = { ...(head as ResponseHead), body: new Uint8Array(), transferBytes }
    if (head) this.#exchange.response = response
    if (error) return error
    this.#phase = 'decode'
    const raw = hop.takeBody()
    const encodings = hop.isCut || raw.byteLength === 0 ? [] : listEncodings(response.headers)
    const { hold } = this.#options
    const decode = async (): Promise<Error | undefined> => {
      const body = this.#stopped ? raw : await decodeContent(raw, encodings, bodyLimit)
      if (this.#stopped) return this.#stopped
      response.body = body
      hold?.take(body.byteLength - raw.byteLength)
      return undefined
    }
    if (encodings.length > 0) return hold ? hold.inTurn(decode) : decode()
    response.body = raw
    return undefined
  }
}
