import type { HttpRequestEventMap } from '@mswjs/interceptors'
import type { MockLayer } from '../mock-layer.ts'
import { markHttp2Connections, exemptConnections, readConnect } from './bypass-mocks.ts'
import { beginSuite, isLate, refuseLateCall, watchesLateCalls } from './late-calls.ts'
import { closeStaleSockets, watchConnections } from './stale-sockets.ts'

/** An intercepted request and the ways to end it; a handler that returns without using one lets it through. */
export type InterceptedRequest = HttpRequestEventMap['request']

/** A mock server as the network of this thread sees it. */
export type NetworkUser = {
  /** Innermost first. */
  readonly layers: readonly MockLayer[]
  /** Name of the suite whose late calls are refused, if they are. */
  suite?: string | undefined
  isOwn: (origin: URL) => boolean
  /** Answers a request from these layers, or leaves it alone to let it through. */
  answer: (event: InterceptedRequest, layers: readonly MockLayer[]) => Promise<void>
  /** Asked before an HTTP/2 connection; the error it returns ends the connection. */
  onHttp2: (origin: URL) => Error | undefined
}

/** Newest first: a suite that another one calls has a server of its own. */
let users: readonly NetworkUser[] = []
let interception: Promise<() => void> | undefined
/** Ends what holds while there are users. */
let endUse: (() => void) | undefined

/**
 * Intercepts the requests of this thread, if nobody does yet, and hands them to this user until the returned function is
 * called or a newer user joins. The layers of older users are asked after its own.
 */
export async function joinNetwork(user: NetworkUser): Promise<() => void> {
  users = [user, ...users]
  interception ??= interceptRequests()
  try {
    const stop = await interception
    endUse ??= beginUse(user)
    return () => leave(user, stop)
  } catch (error) {
    interception = undefined
    users = users.filter((other) => other !== user)
    throw error
  }
}

function leave(user: NetworkUser, stop: () => void): void {
  if (!users.includes(user)) return
  users = users.filter((other) => other !== user)
  if (users.length > 0) return
  endUse?.()
  endUse = undefined
  // Late calls have to be seen; any other connection is made as if nothing were patched.
  if (watchesLateCalls()) return
  interception = undefined
  stop()
}

function beginUse({ suite, isOwn }: NetworkUser): () => void {
  const stopClosing = closeStaleSockets()
  const endSuite = suite === undefined ? undefined : beginSuite({ suite, isOwn })
  return () => {
    stopClosing()
    endSuite?.()
  }
}

async function handOver(event: InterceptedRequest): Promise<void> {
  const { method } = event.request
  // A tunnel through a proxy is transport; what goes through it is intercepted by itself.
  if (method === 'CONNECT' || isBypassed(event.request)) return
  const late = refuseLateCall(new URL(event.request.url))
  if (late) return event.controller.errorWith(late)
  await users[0]?.answer(
    event,
    users.flatMap(({ layers }) => layers),
  )
}

/** True for what a handler sends with MSW's `bypass()`, whose mark is taken off. */
function isBypassed({ headers }: Request): boolean {
  const accepted = headers.get('accept') ?? ''
  if (!accepted.includes('msw/passthrough')) return false
  const rest = accepted.replace(/(,\s*)?msw\/passthrough/, '')
  if (rest === '') headers.delete('accept')
  else headers.set('accept', rest)
  return true
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
  try {
    for (const interceptor of interceptors) interceptor.apply()
  } catch (error) {
    for (const interceptor of interceptors) interceptor.dispose()
    throw new Error(
      'Mocks cannot be used, as something else intercepts requests already: the application, or what it imports, starts ' +
        'MSW’s `setupServer`, nock or the like. Leave that out where suites run, and write its answers as `mocks`.',
      { cause: error },
    )
  }
  requests.on('request', handOver)
  exemptConnections(connect, {
    isActive: () => users.length > 0 || isLate(),
    isOwn: (origin) => users.some(({ isOwn }) => isOwn(origin)),
    onHttp2: (origin) => refuseLateCall(origin) ?? users[0]?.onHttp2(origin),
  })
  const stopMarking = markHttp2Connections()
  watchConnections()
  return () => {
    for (const interceptor of interceptors) interceptor.dispose()
    stopMarking()
  }
}
