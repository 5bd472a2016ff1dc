import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectionSignal } from './connection/signal.ts'

/**
 * Waits for some seconds.
 * @throws AbortError as soon as the connection of `message` closes, with the timer freed
 */
export async function waitFor(seconds: number, message: IncomingMessage): Promise<void> {
  await sleep(seconds * 1000, undefined, { signal: connectionSignal(message.socket) })
}
