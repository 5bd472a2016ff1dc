import { isMainThread, postMessageToThread, threadId } from 'node:worker_threads'

/** The process and thread a suite runs in. */
export type Owner = { pid: number; thread: number }

/** This thread, ready to be asked whether it is alive. */
export function describeOwner(): Owner {
  // Node answers for a thread only if it listens.
  if (!isMainThread && process.listenerCount('workerMessage') === 0) process.on('workerMessage', () => {})
  return { pid: process.pid, thread: threadId }
}

/** Whether a worker still exists; a busy one does. */
export async function isAlive({ pid, thread }: Owner): Promise<boolean> {
  if (pid !== process.pid) return hasProcess(pid)
  if (thread === threadId) return true
  try {
    await postMessageToThread(thread, 'suitecase', 1000)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ERR_WORKER_MESSAGING_FAILED'
  }
}

function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
