import type { Socket } from 'node:net'

const listeners = new WeakMap<Socket, Set<() => void>>()

/**
 * Calls a function when the connection closes. Returns one that takes it back. The socket itself has one listener only,
 * however many requests are pipelined on it.
 */
export function onLeave(socket: Socket, listener: () => void): () => void {
  const all = listeners.get(socket) ?? listenOn(socket)
  all.add(listener)
  return () => void all.delete(listener)
}

function listenOn(socket: Socket): Set<() => void> {
  const all = new Set<() => void>()
  listeners.set(socket, all)
  socket.once('close', () => {
    for (const listener of all) listener()
  })
  return all
}
