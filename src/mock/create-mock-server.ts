import { carryOut, resetRequest } from './carry-out.ts'
import { decideCall, decideHttp2 } from './decide-call.ts'
import type { MswTools } from './find-answer.ts'
import { interceptRequests, type InterceptedRequest } from './intercept.ts'
import type { MockReport, MockServer, MockServerOptions, UnhandledPolicy } from './mock.ts'
import { createLayer } from './mock-layer.ts'
import { MockScopes } from './mock-scopes.ts'
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
    // A tunnel through a proxy is transport; what goes through it is intercepted by itself.
    if (event.request.method === 'CONNECT' || isBypassed(event.request)) return
    open.add(event)
    await answer(event, { scopes, msw, policy: onUnhandled })
    open.delete(event)
  }
  const stop = await interceptRequests(handle, {
    isOwn: isOwnRequest ?? (() => false),
    onHttp2: (origin) => decideHttp2(origin, { report: scopes, at: scopes.at, policy: onUnhandled }),
  })
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
  { scopes, msw, policy }: { scopes: MockScopes; msw: MswTools; policy: UnhandledPolicy },
): Promise<void> {
  const decided = scopes.startCall()
  const { layers } = scopes
  const tools = { layers, msw, policy, at: scopes.at, report: scopes }
  const decision = await decideCall(describeCall(event.request), tools)
  scopes.current.addCall(decision.note)
  decided()
  await carryOut(event, decision)
}

async function loadMsw(): Promise<MswTools> {
  const { getResponse, isPassthroughResponse, matchRequestUrl } = await import('msw')
  return { getResponse, isPassthrough: isPassthroughResponse, matchUrl: matchRequestUrl }
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
