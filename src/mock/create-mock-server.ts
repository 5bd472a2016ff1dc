import { carryOut, resetRequest } from './carry-out.ts'
import { decideCall } from './decide-call.ts'
import type { MswTools } from './find-answer.ts'
import { interceptRequests, type InterceptedRequest } from './intercept.ts'
import type { MockReport, MockServer, MockServerOptions } from './mock.ts'
import { createLayer } from './mock-layer.ts'
import { MockScopes, NOWHERE } from './mock-scopes.ts'
import { describeCall } from './outgoing-call.ts'
import { readHandlers } from './read-handlers.ts'

/** True while a server holds the network of this thread. */
let occupied = false

/**
 * Starts to intercept the outgoing HTTP requests of this thread (`fetch`, `node:http`, undici), which loads MSW.
 * Rejects while another mock server of the thread is open.
 */
export async function createMockServer(options: MockServerOptions): Promise<MockServer> {
  if (occupied)
    throw new Error('A mock server is open already in this thread; close it before you create another.')
  occupied = true
  try {
    return await startServer(options)
  } catch (error) {
    occupied = false
    throw error
  }
}

async function startServer({ onUnhandled, isOwnRequest }: MockServerOptions): Promise<MockServer> {
  const msw = await loadMsw()
  const scopes = new MockScopes()
  const open = new Set<InterceptedRequest>()
  const handle = async (event: InterceptedRequest): Promise<void> => {
    if (isTransport(event.request)) return
    open.add(event)
    await answer(event, { scopes, msw, policy: onUnhandled })
    open.delete(event)
  }
  const stop = await interceptRequests(handle, isOwnRequest ?? (() => false))
  let closed: MockReport | undefined
  return {
    use: (mocks, context) => scopes.open(createLayer(mocks, [], context)),
    useHandlers: (handlers, { file, at }) =>
      scopes.open(createLayer([], readHandlers(handlers), { file, at, interpolate: (value) => value })),
    close: async () => {
      if (closed) return closed
      closed = scopes.close()
      for (const event of open) resetRequest(event, 'the suite that mocked it has ended')
      stop()
      occupied = false
      return closed
    },
  }
}

async function answer(
  event: InterceptedRequest,
  { scopes, msw, policy }: { scopes: MockScopes; msw: MswTools; policy: MockServerOptions['onUnhandled'] },
): Promise<void> {
  const decided = scopes.startCall()
  const { layers } = scopes
  const at = layers[0]?.context.at ?? NOWHERE
  const decision = await decideCall(describeCall(event.request), { layers, msw, policy, at, report: scopes })
  scopes.current.addCall(decision.note)
  decided()
  await carryOut(event, decision)
}

async function loadMsw(): Promise<MswTools> {
  const { getResponse, isPassthroughResponse, matchRequestUrl } = await import('msw')
  return { getResponse, isPassthrough: isPassthroughResponse, matchUrl: matchRequestUrl }
}

/** Requests that are not about an upstream: tunnels of a proxy, and what a handler sends with MSW's `bypass()`. */
function isTransport({ method, headers }: Request): boolean {
  if (method === 'CONNECT') return true
  const accepted = headers.get('accept') ?? ''
  if (!accepted.includes('msw/passthrough')) return false
  const rest = accepted.replace(/(,\s*)?msw\/passthrough/, '')
  if (rest === '') headers.delete('accept')
  else headers.set('accept', rest)
  return true
}
