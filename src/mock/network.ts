import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ClientRequest, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpRequestEventMap } from '@mswjs/interceptors'
import { isExport } from '../request/trace.ts'
import { exemptHttp2, watchHttp2 } from './http2-connections.ts'
import type { MockLayer } from './mock-layer.ts'

/** An intercepted request and the controller that ends it. Unused, it lets the request through. */
export type InterceptedRequest = HttpRequestEventMap['request']

/** A mock server as seen by this thread's interception. */
export type NetworkUser = {
  /** Innermost first. */
  layers: MockLayer[]
  /** Name of the suite, if its late calls are to be refused. */
  suite?: string | undefined
  isOwn: (origin: URL) => boolean
  /** Answers a request from these layers, or lets it through by doing nothing. */
  answer: (event: InterceptedRequest, layers: readonly MockLayer[]) => Promise<void>
  /** Called for each HTTP/2 connection and request, which cannot be intercepted; an error it returns ends it. */
  onHttp2: (origin: URL, layers: readonly MockLayer[]) => Error | undefined
}

/** Who sends a request: `own` is a suite itself or the option `extend`; else the suite whose request the application is handling. */
const senders = new AsyncLocalStorage<'own' | NetworkUser | undefined>()

/** Newest first: a suite that is called by another one has a mock server of its own. */
let users: readonly NetworkUser[] = []
let interception: Promise<() => void> | undefined

/** Runs code that sends a suite's own requests; every mock server leaves them alone. */
export function runAsOwnRequest<Result>(send: () => Result): Result {
  return senders.run('own', send)
}

/** Runs code that starts the application. Its requests belong to no suite; its connections are watched. */
export function runAsApplication<Result>(start: () => Result): Result {
  watchConnections()
  return senders.run(undefined, start)
}

/** Tracks which suite's request a server is handling, across everything it awaits. */
export function attributeRequests(server: Server): void {
  const emit = server.emit.bind(server) as (...args: unknown[]) => boolean
  server.emit = (event: string, ...args: unknown[]) =>
    event === 'request' || event === 'upgrade'
      ? senders.run(users[0], () => emit(event, ...args))
      : emit(event, ...args)
}

/** Passes the requests of this thread to a user, until the returned function is called or a newer user joins, which asks the layers of older ones after its own. */
export async function joinNetwork(user: NetworkUser): Promise<() => void> {
  users = [user, ...users]
  interception ??= interceptRequests()
  try {
    const stop = await interception
    return () => {
      users = users.filter((other) => other !== user)
      if (users.length > 0) return
      interception = undefined
      stop()
    }
  } catch (error) {
    interception = undefined
    users = users.filter((other) => other !== user)
    throw error
  }
}

async function handOver(event: InterceptedRequest): Promise<void> {
  const { request, controller } = event
  const url = new URL(request.url)
  const [user] = users
  // A proxy tunnel is only transport; the requests inside it are intercepted themselves.
  if (!user || isOwn(url) || request.method === 'CONNECT') return
  if (isLate(url.origin)) return controller.errorWith(createRefusal(ENDED))
  await user.answer(event, listLayers())
}

/** Of all suites, innermost first. */
const listLayers = (): MockLayer[] => users.flatMap(({ layers }) => layers)

const ENDED = 'the suite that caused this call has ended'

/** True if a call has to be refused because the suite that caused it has ended, which is then told. */
function isLate(origin: string): boolean {
  const sender = senders.getStore()
  if (typeof sender !== 'object' || sender.suite === undefined || users.includes(sender)) return false
  console.warn(
    `suitecase: The application called ${origin} for the suite \`${sender.suite}\` after that suite had ended, so the call was refused. ` +
      'Make the last step wait for it, with `delay_ms` or `retry.until`. A background job that repeats calls has to start with the application, not with its first request.',
  )
  return true
}

/** Refuses late calls while no suite has mocks. Nothing is intercepted then, so all other calls stay as they are. */
function refuseLateCalls(): void {
  const refused = new WeakSet<object>()
  const judge = (message: unknown): void => {
    const sender = senders.getStore()
    if (users.length > 0 || typeof sender !== 'object') return
    // Only a request of undici has an `origin`.
    const { request } = message as { request: ClientRequest & { origin?: string } }
    const { protocol, host, path } = request
    const origin = request.origin ?? `${protocol}//${String(request.getHeader('host') ?? host)}`
    const url = URL.parse(path, origin)
    const isAllowed = url && (sender.isOwn(url) || isExport(url))
    if (isAllowed || request.method === 'CONNECT' || !isLate(origin)) return
    if (request.origin === undefined) request.destroy(createRefusal(ENDED))
    else refused.add(request)
  }
  subscribe('http.client.request.created', judge)
  subscribe('undici:request:create', judge)
  // A request of undici can be ended once it has a socket, before anything is sent.
  subscribe('undici:client:sendHeaders', (message) => {
    const { request, socket } = message as { request: object; socket: Socket }
    if (refused.has(request)) socket.destroy(createRefusal(ENDED))
  })
}

/** Lets a client of node:http send the body that it holds back with `Expect: 100-continue`. */
export function askForBody({ request, initiator }: InterceptedRequest): void {
  if (!request.headers.has('expect')) return
  process.nextTick(() => {
    // On a kept-alive socket, the initiator is its first request.
    const { socket } = initiator as { socket?: { _httpMessage?: ClientRequest } | null }
    const { _httpMessage: current } = socket ?? {}
    current?.emit('continue')
  })
}

function isOwn(url: URL): boolean {
  return senders.getStore() === 'own' || users.some((user) => user.isOwn(url)) || isExport(url)
}

async function interceptRequests(): Promise<() => void> {
  const [{ HttpRequestInterceptor }, { ClientRequestInterceptor }, { FetchInterceptor }] = await Promise.all([
    import('@mswjs/interceptors/http'),
    import('@mswjs/interceptors/ClientRequest'),
    import('@mswjs/interceptors/fetch'),
  ])
  const requests = new HttpRequestInterceptor()
  // The other two pass on no requests; they tell sockets opened by fetch or node:http from those waiting for their server to speak.
  const interceptors = [requests, new ClientRequestInterceptor(), new FetchInterceptor()]
  const stop = (): void => {
    for (const interceptor of interceptors) interceptor.dispose()
  }
  try {
    for (const interceptor of interceptors) interceptor.apply()
  } catch (error) {
    stop()
    throw new Error(
      'Mocks cannot be used, because something else already intercepts requests: the application, a module it imports, or a setup file starts ' +
        'MSW’s `setupServer`, nock or the like. Do not start it where suites run, and write its responses as `mocks`.',
      { cause: error },
    )
  }
  requests.on('request', handOver)
  const stopExempting = exemptHttp2((url) => (isOwn(url) ? undefined : users[0]?.onHttp2(url, listLayers())))
  watchConnections()
  const stopClosing = closeStaleSockets()
  return () => {
    stopExempting()
    stopClosing()
    stop()
  }
}

/** Sockets that undici (and so Node's fetch) holds open in this thread. */
const open = new Set<Socket>()
let isWatching = false

/** Tracks connections on which requests cannot be intercepted, if they are older than the mocks: those that undici keeps alive, and HTTP/2 sessions. */
export function watchConnections(): void {
  if (isWatching) return
  isWatching = true
  watchHttp2()
  refuseLateCalls()
  subscribe('undici:client:connected', (message) => {
    // Not by a listener on each: all files in `vmThreads` watch the same sockets, and Node warns of many.
    for (const socket of open) if (socket.destroyed) open.delete(socket)
    open.add((message as { socket: Socket }).socket)
  })
}

/** Closes all open connections, each once it is idle and before its next request. */
function closeStaleSockets(): () => void {
  const stale = new Set(open)
  const closeIdle = (): void => {
    for (const socket of stale) {
      // undici unrefs a socket that carries no request.
      const { _handle: handle } = socket as Socket & { _handle?: { hasRef?: () => boolean } | null }
      if (!socket.destroyed && handle?.hasRef?.()) continue
      stale.delete(socket)
      socket.destroy()
    }
  }
  closeIdle()
  subscribe('undici:request:create', closeIdle)
  return () => unsubscribe('undici:request:create', closeIdle)
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/** True if a URL leads to the server at `address`; all names of the loopback interface count as the same. */
export function leadsTo(url: URL, address: string): boolean {
  const target = new URL(address)
  if (url.protocol !== target.protocol || url.port !== target.port) return false
  return url.hostname === target.hostname || (loopback.has(url.hostname) && loopback.has(target.hostname))
}

/** An error like that of a connection reset by the other side. */
export function createReset(reason: string): Error {
  return createError({ code: 'ECONNRESET', errno: -104, syscall: 'read' }, reason)
}

/** An error like that of a port where nothing listens. */
export function createRefusal(reason: string): Error {
  return createError({ code: 'ECONNREFUSED', errno: -111, syscall: 'connect' }, reason)
}

function createError(fields: { code: string; errno: number; syscall: string }, reason: string): Error {
  return Object.assign(new Error(`${fields.syscall} ${fields.code} (${reason})`), fields)
}
