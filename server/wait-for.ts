import type { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'

const leaving = new WeakMap<Socket, AbortSignal>()

/**
 * Waits for some seconds.
 * @throws an AbortError as soon as the connection closes; the timer is freed
 */
export function waitFor(seconds: number, socket: Socket): Promise<void> {
  return setTimeout(seconds * 1000, undefined, { signal: leaving.get(socket) ?? watch(socket) })
}

/** One signal for a socket, however many requests are pipelined on it. */
function watch(socket: Socket): AbortSignal {
  const controller = new AbortController()
  leaving.set(socket, controller.signal)
  if (socket.destroyed) controller.abort()
  else socket.once('close', () => controller.abort())
  return controller.signal
}
