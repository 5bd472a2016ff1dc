import { isMainThread } from 'node:worker_threads'

let isWatching = false

/**
 * Ends a forked worker when the process that started it is gone: killed, or out of patience after an interrupt. Open servers
 * and requests would keep it alive. Vitest refuses `process.exit` in workers.
 */
export function endWithParent(): void {
  if (isWatching || !isMainThread || process.send === undefined) return
  isWatching = true
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
}
