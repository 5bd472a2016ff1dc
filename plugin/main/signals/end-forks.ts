import type { ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'

const children = new Set<ChildProcess>()
let isWatching = false

/** Follows which processes this one starts, from now on. */
export function watchForks(): void {
  if (isWatching) return
  isWatching = true
  subscribe('child_process', (message) => {
    const { process: child } = message as { process: ChildProcess }
    children.add(child)
    child.once('exit', () => children.delete(child))
  })
}

/** Kills the workers of Vitest that are processes: one in an endless loop hears neither a signal nor that its parent is gone. */
export function endForks(): void {
  for (const child of children)
    if (child.spawnargs.some((argument) => /[\\/]workers[\\/]\w*forks\.js$/i.test(argument)))
      child.kill('SIGKILL')
}
