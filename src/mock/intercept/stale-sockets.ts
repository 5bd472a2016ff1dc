import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { senders, type Sender } from './bypass-mocks.ts'

const CONNECTED = 'undici:client:connected'
const REQUEST = 'undici:request:create'

/** Sockets that undici (and so Node's own fetch) holds open in this thread, and who opened them. */
const open = new Map<Socket, Sender | undefined>()
let watching = false

/**
 * Watches which connections undici keeps alive, so that a mock server can close those opened before it: requests on
 * them could not be intercepted. Call it before the application is loaded; further calls do nothing.
 */
export function watchConnections(): void {
  if (watching) return
  watching = true
  subscribe(CONNECTED, (message) => {
    const { socket } = message as { socket: Socket }
    open.set(socket, senders.getStore())
    socket.once('close', () => open.delete(socket))
  })
}

/**
 * Closes the connections opened until now, each as soon as it is idle and before it carries another request; returns the
 * way to stop. Until then the application and the extension, whose requests share undici's pools, keep to connections of
 * their own: those of the one are intercepted, those of the other are not.
 */
export function closeStaleSockets(): () => void {
  const stale = new Set(open.keys())
  let last: Sender | undefined
  const closeIdle = (): void => {
    const sender = senders.getStore()
    if (sender !== 'suite') {
      last = sender
      for (const [socket, opener] of open) if (opener !== 'suite' && opener !== sender) stale.add(socket)
    }
    for (const socket of stale) {
      if (!socket.destroyed && isBusy(socket)) continue
      stale.delete(socket)
      // From there undici connects again, for the one who waits for it.
      if (open.get(socket) !== 'suite') socket.prependOnceListener('close', () => senders.enterWith(last))
      socket.destroy()
    }
  }
  closeIdle()
  subscribe(REQUEST, closeIdle)
  return () => unsubscribe(REQUEST, closeIdle)
}

// undici takes the reference off a socket that carries no request, so that it keeps no process alive.
function isBusy(socket: Socket): boolean {
  const { _handle: handle } = socket as Socket & { _handle?: { hasRef?: () => boolean } | null }
  return handle?.hasRef?.() ?? false
}
