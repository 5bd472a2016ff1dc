// Imported, since an application in this thread may replace the global ones.
import { setImmediate, setTimeout } from 'node:timers'
import type { RunnerTask, RunnerTaskEventPack, RunnerTaskResultPack, RuntimeRPC } from 'vitest'

/** How long changes are collected before they are sent together, in ms. */
const DELAY = 50

export type TaskUpdates = ReturnType<typeof createTaskUpdates>

/** Reports progress to the main process, in batches. `atOnce` is for a thread that may end at any moment. */
export function createTaskUpdates(rpc: Pick<RuntimeRPC, 'onTaskUpdate'>, atOnce: boolean) {
  const packs = new Map<string, RunnerTaskResultPack>()
  let events: RunnerTaskEventPack[] = []
  let isWaiting = false
  let sent: Promise<unknown> = Promise.resolve()

  function flush(): void {
    isWaiting = false
    if (packs.size === 0) return
    sent = Promise.all([sent, rpc.onTaskUpdate([...packs.values()], events)])
    packs.clear()
    events = []
  }

  return {
    add(task: RunnerTask, event: RunnerTaskEventPack[1]): void {
      packs.set(task.id, [task.id, task.result && { ...task.result }, task.meta])
      events.push([task.id, event, undefined])
      // The test that starts now may block the thread for good.
      if (atOnce && event === 'test-prepare') return flush()
      if (isWaiting) return
      isWaiting = true
      if (atOnce) setImmediate(flush)
      else setTimeout(flush, DELAY)
    },
    /** Sends everything that is left. Resolves when it has arrived. */
    async finish(): Promise<void> {
      flush()
      await sent
    },
  }
}
