import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpRequestEventMap } from '@mswjs/interceptors'
import { createRefusal } from './connection-errors.ts'
import { exemptHttp2, readConnect } from './http2-connections.ts'
import type { MockLayer } from './mock-layer.ts'

/** An intercepted request and the ways to end it; a handler that returns without using one lets it through. */
export type InterceptedRequest = HttpRequestEventMap['request']

/** A mock server as the network of this thread sees it. */
export type NetworkUser = {
  /** Innermost first. */
  layers: MockLayer[]
  /** Name of the suite whose late calls are refused, if they are. */
  suite?: string | undefined
  isOwn: (origin: URL) => boolean
  /** Answers a request from these layers, or leaves it alone to let it through. */
  answer: (event: InterceptedRequest, layers: readonly MockLayer[]) => Promise<void>
  /** Asked before an HTTP/2 connection, which cannot be intercepted; the error it returns ends the connection. */
  onHttp2: (origin: URL) => Error | undefined
}

/** For whom a request is sent: for the suite itself or the option `extend`, or for the suite whose request the application works on. */
const senders = new AsyncLocalStorage<'own' | NetworkUser | undefined>()

/** Newest first: a suite that another one calls has a server of its own. */
let users: readonly NetworkUser[] = []
let interception: Promise<() => void> | undefined

/** Runs what sends a request of the suite itself: it is left alone by every mock server. */
export function runAsOwnRequest<Result>(send: () => Result): Result {
  return senders.run('own', send)
}

/** Keeps in mind which suite's request a server works on, over all that it awaits. */
export function attributeRequests(server: Server): void {
  const emit = server.emit.bind(server) as (...args: unknown[]) => boolean
  server.emit = (event: string, ...args: unknown[]) =>
    event === 'request' || event === 'upgrade'
      ? senders.run(users[0], () => emit(event, ...args))
      : emit(event, ...args)
}

/**
 * Intercepts the requests of this thread, if nobody does yet, and hands them to this user until the returned function is
 * called or a newer user joins. The layers of older users are asked after its own.
 */
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
  // A tunnel through a proxy is transport; what goes through it is intercepted by itself.
  if (!user || isOwn(url) || request.method === 'CONNECT') return
  const sender = senders.getStore()
  if (typeof sender === 'object' && sender.suite !== undefined && !users.includes(sender)) {
    console.warn(
      `suitecase: The application called ${url.origin} for the suite \`${sender.suite}\` when that suite had ended, so the call was refused. ` +
        'Let the last step wait for it, with `delay_ms` or `retry.until`.',
    )
    return controller.errorWith(createRefusal('the suite that caused this call has ended'))
  }
  await user.answer(
    event,
    users.flatMap(({ layers }) => layers),
  )
}

/** True for what the suite itself sends, and for what is sent to its own servers. */
function isOwn(url: URL): boolean {
  return senders.getStore() === 'own' || users.some((user) => user.isOwn(url))
}

/** Resolves with the way to stop. */
async function interceptRequests(): Promise<() => void> {
  const [{ HttpRequestInterceptor }, { ClientRequestInterceptor }, { FetchInterceptor }] = await Promise.all([
    import('@mswjs/interceptors/http'),
    import('@mswjs/interceptors/ClientRequest'),
    import('@mswjs/interceptors/fetch'),
  ])
  const connect = readConnect()
  const requests = new HttpRequestInterceptor()
  // These two hand on no request; they tell a socket opened by fetch or node:http from one that waits for its server.
  const interceptors = [requests, new ClientRequestInterceptor(), new FetchInterceptor()]
  const stop = (): void => {
    for (const interceptor of interceptors) interceptor.dispose()
  }
  try {
    for (const interceptor of interceptors) interceptor.apply()
  } catch (error) {
    stop()
    throw new Error(
      'Mocks cannot be used, as something else intercepts requests already: the application, or what it imports, starts ' +
        'MSW’s `setupServer`, nock or the like. Leave that out where suites run, and write its answers as `mocks`.',
      { cause: error },
    )
  }
  requests.on('request', handOver)
  const stopExempting = exemptHttp2(connect, (url) => (isOwn(url) ? undefined : users[0]?.onHttp2(url)))
  watchConnections()
  const stopClosing = closeStaleSockets()
  return () => {
    stopExempting()
    stopClosing()
    stop()
  }
}

/** Sockets that undici (and so Node's own fetch) holds open in this thread. */
const open = new Set<Socket>()
let isWatching = false

/**
 * Watches which connections undici keeps alive, so that a mock server can close those opened before it: requests on
 * them could not be intercepted. Call it before the application is loaded; further calls do nothing.
 */
export function watchConnections(): void {
  if (isWatching) return
  isWatching = true
  subscribe('undici:client:connected', (message) => {
    const { socket } = message as { socket: Socket }
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
}

/** Closes the connections opened until now, each as soon as it is idle and before it carries another request; returns the way to stop. */
function closeStaleSockets(): () => void {
  const stale = new Set(open)
  const closeIdle = (): void => {
    for (const socket of stale) {
      if (!socket.destroyed && isBusy(socket)) continue
      stale.delete(socket)
      socket.destroy()
    }
  }
  closeIdle()
  subscribe('undici:request:create', closeIdle)
  return () => unsubscribe('undici:request:create', closeIdle)
}

// undici takes the reference off a socket that carries no request, so that it keeps no process alive.
function isBusy(socket: Socket): boolean {
  const { _handle: handle } = socket as Socket & { _handle?: { hasRef?: () => boolean } | null }
  return handle?.hasRef?.() ?? false
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/** True when a URL leads to the server at `address`; the names of the loopback interface are one. */
export function leadsTo(url: URL, address: string): boolean {
  const target = new URL(address)
  if (url.protocol !== target.protocol || url.port !== target.port) return false
  return url.hostname === target.hostname || (loopback.has(url.hostname) && loopback.has(target.hostname))
}
