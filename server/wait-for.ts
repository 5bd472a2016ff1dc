import type { IncomingMessage } from 'node:http'
import { onLeave } from './connection/on-leave.ts'

const CLIENT_LEFT = new Error('the client left while it was waited')

/**
 * Waits for some seconds.
 * @throws an Error as soon as the connection of `message` closes; the timer is freed
 */
export function waitFor(seconds: number, { socket }: IncomingMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    if (socket.destroyed) return reject(CLIENT_LEFT)
    const stay = onLeave(socket, () => {
      clearTimeout(timer)
      reject(CLIENT_LEFT)
    })
    const timer = setTimeout(() => {
      stay()
      resolve()
    }, seconds * 1000)
  })
}
