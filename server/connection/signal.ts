import { setMaxListeners } from 'node:events'
import type { Socket } from 'node:net'

const signals = new WeakMap<Socket, AbortSignal>()

/** A signal that aborts when the connection closes: one per connection, however many requests are pipelined on it. */
export function connectionSignal(socket: Socket): AbortSignal {
  const known = signals.get(socket)
  if (known) return known
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  if (socket.destroyed) controller.abort()
  else socket.once('close', () => controller.abort())
  signals.set(socket, controller.signal)
  return controller.signal
}
