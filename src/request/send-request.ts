import { defaultLimits, findHeader, splitTarget } from './exchange.ts'
import type { Exchange, ReceivedResponse, RequestSpec } from './exchange.ts'
import { decodeContent } from './receive/decode-content.ts'
import { sendWithRedirects } from './redirect/send-with-redirects.ts'
import type { Journey, JourneyContext, SendOptions } from './redirect/send-with-redirects.ts'
import { describeFailure } from './render/describe-failure.ts'
import { createBodyBudget, type BodyHold } from './transport/body-budget.ts'
import { createPool } from './transport/connection-pool.ts'
import { startWatch } from './transport/exchange-deadline.ts'
import { readTimings } from './transport/progress.ts'

/** Sends a request exactly once, follows its redirects and hands back what came of it; never rejects for what a server does. */
export async function sendRequest(spec: RequestSpec, options: SendOptions = {}): Promise<Exchange> {
  const pool = options.pool ?? createPool()
  const { hold, readBlocked = () => 0 } = options
  const watch = startWatch(spec.timeout, {
    ...options,
    ...(hold && { readBlocked: () => readBlocked() + hold.readWaited() }),
    ...(spec.timeoutName !== undefined && { name: spec.timeoutName }),
  })
  const context: JourneyContext = {
    options,
    settings: spec.connection === undefined ? options : { ...options, ...spec.connection },
    pool,
    watch,
    limits: { ...defaultLimits, ...options.limits },
    warnings: [],
    reader: options.reader,
    hold,
    send(other) {
      const { signal: _signal, cookies: _cookies, reader: _reader, ...own } = options
      return sendRequest({ ...other, ...readConnection(spec, other) }, { ...own, pool })
    },
  }
  try {
    return await finishExchange(await sendWithRedirects(spec, context), context)
  } finally {
    watch.end()
    if (options.pool === undefined) await pool.close()
  }
}

/** How a request for credentials connects: as the one that needs them, but for what is about the server of that. */
function readConnection(
  { url, connection = {} }: RequestSpec,
  other: RequestSpec,
): Pick<RequestSpec, 'connection'> {
  if (splitTarget(url)[0] === splitTarget(other.url)[0]) return { connection }
  const { http2: _http2, tls, ...rest } = connection
  const { serverName: _serverName, ...identity } = tls ?? {}
  return { connection: { ...rest, ...(tls && { tls: identity }) } }
}

async function finishExchange(journey: Journey, context: JourneyContext): Promise<Exchange> {
  const { outcome, hop, redirects, authRequests, stop } = journey
  const exchange: Exchange = {
    request: journey.sent ?? hop,
    redirects,
    timings: { total: 0 },
    ...(authRequests.length > 0 && { authRequests }),
    ...(context.note && { connection: context.note }),
    ...(context.warnings.length > 0 && { warnings: context.warnings }),
  }
  let failed: Parameters<typeof describeFailure>[0] | undefined = stop
  if (outcome !== undefined && stop === undefined) {
    const { progress, head, received: transferBytes, error } = outcome
    const { isCut = false, raw } = outcome
    const body = error ?? (isCut ? raw : await decodeContent(raw, head?.headers ?? [], context))
    // Unpacked, it takes more.
    if (body instanceof Uint8Array) context.hold?.take(body.byteLength - raw.byteLength)
    const decodeError = isCut ? body : (context.watch.stopped ?? body)
    if (error !== undefined) failed = { phase: progress.phase, error }
    else if (!(decodeError instanceof Uint8Array)) failed = { phase: 'decode', error: decodeError }
    if (head !== undefined) {
      // A broken body is never judged.
      const whole = failed === undefined && body instanceof Uint8Array ? body : new Uint8Array()
      const response: ReceivedResponse = { ...head, body: whole, transferBytes }
      exchange.response = response
    }
  }
  exchange.timings = readTimings(outcome?.progress, context.watch)
  if (failed !== undefined) {
    exchange.failure = describeFailure(failed, {
      method: hop.method,
      url: hop.url,
      elapsed: exchange.timings.total,
      received: outcome?.received ?? 0,
      announced: outcome?.head && findHeader(outcome.head.headers, 'content-length'),
      type: outcome?.head && findHeader(outcome.head.headers, 'content-type'),
    })
  }
  return exchange
}

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

/** Creates a client; the options given here hold for all its requests unless a request has its own. `bodyBudget` bounds the bytes that bodies of all suites hold together. */
export function createClient({
  bodyBudget,
  ...options
}: Omit<SendOptions, 'pool' | 'hold'> & { bodyBudget?: number | undefined } = {}): RequestClient {
  const defaults = { tokens: new Map(), ...options, pool: createPool() }
  const openHold = createBodyBudget(bodyBudget)
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
