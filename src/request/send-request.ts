import { defaultLimits, findHeader, RequestStop, splitTarget } from './exchange.ts'
import type { Exchange, RequestPhase, RequestSpec, SentRequest, Stop } from './exchange.ts'
import { decodeContent } from './receive/decode-content.ts'
import { sendWithRedirects } from './redirect/send-with-redirects.ts'
import type { Journey, JourneyContext, SendOptions } from './redirect/send-with-redirects.ts'
import { describeFailure } from './render/describe-failure.ts'
import { createBodyBudget, type BodyHold } from './transport/body-budget.ts'
import { createPool } from './transport/connection.ts'
import { startWatch } from './transport/exchange-deadline.ts'
import { readTimings } from './transport/progress.ts'
import type { HopOutcome } from './transport/send-hop.ts'

/** Sends a request exactly once, follows its redirects and hands back what came of it; never rejects for what a server does. */
export async function sendRequest(spec: RequestSpec, options: SendOptions = {}): Promise<Exchange> {
  const limits = { ...defaultLimits, ...options.limits }
  const pool = options.pool ?? createPool(limits.head)
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
    limits,
    warnings: [],
    reader: options.reader,
    hold,
    send(other) {
      const { signal: _signal, cookies: _cookies, reader: _reader, ...own } = options
      return sendRequest({ ...other, ...readConnection(spec, other) }, { ...own, pool })
    },
  }
  const { method, url, headers, body } = spec
  const request: SentRequest = body === undefined ? { method, url, headers } : { method, url, headers, body }
  const exchange: Exchange = { request, redirects: [], timings: { total: 0 } }
  const journey: Journey = { hop: request, exchange }
  try {
    const failed = await travel(spec, journey, context)
    const { hop, outcome } = journey
    exchange.timings = readTimings(outcome?.progress ?? {}, watch)
    if (context.note) exchange.connection = context.note
    if (context.warnings.length > 0) exchange.warnings = context.warnings
    if (failed === undefined) return exchange
    const head = outcome?.head?.headers ?? []
    exchange.failure = describeFailure(failed, {
      method: hop.method,
      url: hop.url,
      elapsed: exchange.timings.total,
      received: outcome?.received ?? 0,
      announced: findHeader(head, 'content-length'),
      type: findHeader(head, 'content-type'),
    })
    return exchange
  } finally {
    watch.end()
    if (options.pool === undefined) await pool.close()
  }
}

type Failed = { phase: RequestPhase; error: Error | Stop }

/** Sends all requests of an exchange and puts the last answer into it; gives what failed. */
async function travel(
  spec: RequestSpec,
  journey: Journey,
  context: JourneyContext,
): Promise<Failed | undefined> {
  try {
    await sendWithRedirects(spec, journey, context)
  } catch (error) {
    if (error instanceof RequestStop) return { phase: error.phase, error }
    throw error
  }
  const { outcome, exchange } = journey
  return outcome && readAnswer(outcome, exchange, context)
}

async function readAnswer(
  { progress, head, received: transferBytes, raw, error, isCut }: HopOutcome,
  exchange: Exchange,
  context: JourneyContext,
): Promise<Failed | undefined> {
  const body = error ?? (isCut ? raw : await decodeContent(raw, head?.headers ?? [], context))
  const isWhole = body instanceof Uint8Array
  // Unpacked, it takes more.
  if (isWhole) context.hold?.take(body.byteLength - raw.byteLength)
  const broken = error ?? (isCut ? undefined : context.watch.stopped) ?? (isWhole ? undefined : body)
  // A broken body is never judged.
  const kept = isWhole && broken === undefined ? body : new Uint8Array()
  if (head !== undefined) exchange.response = { ...head, body: kept, transferBytes }
  return broken && { phase: error === undefined ? 'decode' : progress.phase, error: broken }
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
  const defaults = {
    tokens: new Map(),
    ...options,
    pool: createPool({ ...defaultLimits, ...options.limits }.head),
  }
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
