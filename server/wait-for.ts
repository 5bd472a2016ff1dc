import type { ServerResponse } from 'node:http'

/** Thrown when the client went away while its answer was being prepared. */
export class ClientGone extends Error {}

/**
 * Waits for some seconds.
 * @throws ClientGone as soon as the connection closes, with the timer freed
 */
export function waitFor(seconds: number, response: ServerResponse): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      clearTimeout(timer)
      reject(new ClientGone())
    }
    const timer = setTimeout(() => {
      response.off('close', leave)
      resolve()
    }, seconds * 1000)
    response.once('close', leave)
  })
}
