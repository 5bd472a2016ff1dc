import type { HttpRequestEventMap } from '@mswjs/interceptors'
import { markHttp2Connections, exemptConnections, readConnect, type Exemptions } from './bypass-mocks.ts'
import { closeStaleSockets, watchConnections } from './stale-sockets.ts'

/** An intercepted request and the ways to end it; a handler that returns without using one lets it through. */
export type InterceptedRequest = HttpRequestEventMap['request']

/** Hands every HTTP request of this thread to `handle`, but for the exemptions; resolves with the way to stop. */
export async function interceptRequests(
  handle: (event: InterceptedRequest) => Promise<void>,
  exemptions: Exemptions,
): Promise<() => void> {
  const [{ HttpRequestInterceptor }, { ClientRequestInterceptor }, { FetchInterceptor }] = await Promise.all([
    import('@mswjs/interceptors/http'),
    import('@mswjs/interceptors/ClientRequest'),
    import('@mswjs/interceptors/fetch'),
  ])
  const connect = readConnect()
  const requests = new HttpRequestInterceptor()
  // These two hand on no request; they tell a socket opened by fetch or node:http from one that waits for its server.
  const interceptors = [requests, new ClientRequestInterceptor(), new FetchInterceptor()]
  for (const interceptor of interceptors) interceptor.apply()
  requests.on('request', handle)
  exemptConnections(connect, exemptions)
  const stopMarking = markHttp2Connections()
  watchConnections()
  const stopClosing = closeStaleSockets()
  return () => {
    stopClosing()
    for (const interceptor of interceptors) interceptor.dispose()
    stopMarking()
  }
}
